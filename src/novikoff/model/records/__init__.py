"""What a model file holds of each kind of model."""
