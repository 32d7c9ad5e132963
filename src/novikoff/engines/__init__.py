"""Engines that work on partitions of the points: serial, threads, processes, dask."""
