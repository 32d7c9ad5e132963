"""The trusted checker, and its fast form."""
