"""Records in files: written atomically, validated field by field."""
