"""Displays in scikit-learn's form, drawn by matplotlib; the contents of a picture are panels (`novikoff.pages.panel`)."""
