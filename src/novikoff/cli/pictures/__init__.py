"""The option --plot, and the picture of each verb."""
