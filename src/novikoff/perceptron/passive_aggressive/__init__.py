"""The steps of the passive-aggressive rules."""
