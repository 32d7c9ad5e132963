"""Pictures: displays in scikit-learn's form; the contents of a picture are data that any renderer can draw."""
