"""Records in files: written whole or not at all, validated field by field."""
