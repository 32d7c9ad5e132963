"""One page about a data set: verdict and proof, margin and bound, learners, and what they get wrong."""
