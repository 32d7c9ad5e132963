"""Commands that use every kernel, for `novikoff warm`."""
