"""Displays in scikit-learn's form, drawn by matplotlib; what a picture holds is data (`novikoff.pages.panel`)."""
