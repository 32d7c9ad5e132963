"""What scikit-learn expects of an estimator."""
