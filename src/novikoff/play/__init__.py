"""The play page: a local web server that shows runs, verdicts and experiments in a browser."""

PORT = 1962  # the year of Novikoff's theorem
