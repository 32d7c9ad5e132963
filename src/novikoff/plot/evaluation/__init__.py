"""Pictures of how well a model predicts: the confusion matrix, errors against the number of training examples."""
