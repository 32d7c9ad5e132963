"""Verbs and options by the words of other programs: the answer names the one that does it here."""

from __future__ import annotations

import click

VERBS = {"train": "fit", "learn": "fit", "classify": "predict", "test": "evaluate", "eval": "evaluate"}
VERBS |= {"score": "evaluate", "check": "verify", "decide": "certify", "show": "inspect", "info": "inspect"}
DRAWING = (
    "no verb draws; trace DATA --csv FILE writes every update, predict MODEL DATA --scores the scores, for a program "
    "that does"
)
NOT_HERE = {"plot": DRAWING, "draw": DRAWING, "visualize": DRAWING, "chart": DRAWING}
OPTIONS = {  # another program's option: (the option that does it here, what to say)
    "--tol": ("--stall-train", "--stall-train K ends a run after K passes without better weights"),
    "--n-iter-no-change": ("--stall-train", "--stall-train K ends a run after K passes without better weights"),
    "--shuffle": ("--order", "--order shuffle shows the rows in a new order in every pass"),
    "--penalty": ("--pa-C", "a perceptron has no penalty; --rule pa1 with a smaller --pa-C takes shorter steps"),
    "--alpha": ("--pa-C", "a perceptron has no penalty; --rule pa1 with a smaller --pa-C takes shorter steps"),
    "--l1-ratio": ("--pa-C", "a perceptron has no penalty; --rule pa1 with a smaller --pa-C takes shorter steps"),
    "--n-jobs": ("--workers", "--engine threads --workers K"),
    "--jobs": ("--workers", "--engine threads --workers K"),
    "--learning-rate": ("--eta", "--eta is the step, --schedule how it changes"),
    "--epochs": ("--max-passes", "--max-passes is the largest number of passes"),
    "--max-iter": ("--max-passes", "--max-passes is the largest number of passes"),
    "--max-time": ("--max-seconds", "--max-seconds is the limit"),
    "--random-state": ("--seed", "--seed"),
    "--fit-intercept": ("--bias", "--bias or --no-bias"),
    "--no-intercept": ("--bias", "--no-bias"),
    "--average": ("--keep", "--keep average returns the averaged weights"),
    "--loss": ("--rule", "--rule says what a mistake does"),
    "--target": ("--label", "--label NAME is the label's column"),
    "--standardize": ("--scale", "--scale brings every column to mean 0 and variance 1"),
}


def in_words(error: click.NoSuchOption) -> click.NoSuchOption:
    """The same error; where the verb has an option that does it, this is named in place of names that look alike."""
    option = OPTIONS.get(error.option_name)
    if option is None or error.ctx is None:
        return error
    known = {name for param in error.ctx.command.params for name in (*param.opts, *param.secondary_opts)}
    if option[0] not in known:
        return error
    return click.NoSuchOption(error.option_name, f"No such option {error.option_name!r}; {option[1]}", ctx=error.ctx)
