"""Compiled kernels without the compiler: what identifies one, where its machine code is stored, how it is loaded."""
