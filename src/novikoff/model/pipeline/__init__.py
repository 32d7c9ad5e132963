"""Convert scikit-learn pipelines to models."""
