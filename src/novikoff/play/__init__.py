"""The play page: a local web server that shows runs, verdicts and experiments in a browser."""
