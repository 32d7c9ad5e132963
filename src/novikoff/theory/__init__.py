"""The theory of the perceptron, computed: capacity, general position, bits, generalization bounds, experiments."""
