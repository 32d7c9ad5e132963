"""Suggest our verb or option for a name used by other programs."""

from __future__ import annotations

import click

VERBS = {"train": "fit", "learn": "fit", "classify": "predict", "test": "evaluate", "eval": "evaluate"}
VERBS |= {"score": "evaluate", "check": "verify", "decide": "certify", "show": "inspect", "info": "inspect"}
DRAWING = (
    "there is no plotting verb; trace DATA --csv FILE writes every update, predict MODEL DATA --scores "
    "the scores, for a plotting program"
)
NOT_HERE = {"plot": DRAWING, "draw": DRAWING, "visualize": DRAWING, "chart": DRAWING}
OPTIONS = {  # another program's option: (our option, the advice)
    "--tol": ("--stall-train", "--stall-train K ends a run after K passes without better weights"),
    "--n-iter-no-change": ("--stall-train", "--stall-train K ends a run after K passes without better weights"),
    "--shuffle": ("--order", "--order shuffle shows the rows in a new order in every pass"),
    "--alpha": ("--C", "--soft hinge --C NUMBER has a penalty, C = 1/(alpha·n); a perceptron has none"),
    "--l1-ratio": ("--penalty", "--soft logistic --penalty l1 or l2; a perceptron has no penalty"),
    "--n-jobs": ("--workers", "--engine threads --workers K"),
    "--jobs": ("--workers", "--engine threads --workers K"),
    "--learning-rate": ("--eta", "--eta is the learning rate, --schedule its decay"),
    "--epochs": ("--max-passes", "--max-passes is the maximum number of passes"),
    "--max-iter": ("--max-passes", "--max-passes is the maximum number of passes"),
    "--max-time": ("--max-seconds", "--max-seconds is the limit"),
    "--random-state": ("--seed", "--seed"),
    "--fit-intercept": ("--bias", "--bias or --no-bias"),
    "--no-intercept": ("--bias", "--no-bias"),
    "--average": ("--keep", "--keep average returns the averaged weights"),
    "--loss": ("--soft", "--soft LOSS fits a soft margin; a perceptron has the update rule --rule"),
    "--target": ("--label", "--label NAME is the label's column"),
    "--poisson": ("--family", "did you mean --family poisson?"),
    "--standardize": ("--scale", "--scale brings every column to mean 0 and variance 1"),
}

OF_VERBS = {("export", "--format"): "the ending of -o decides: .onnx is ONNX, .txt or .model LIBLINEAR's text format"}


def in_words(error: click.NoSuchOption) -> click.NoSuchOption:
    """Return the error with the equivalent option, or the verbs that have it, instead of similar-looking names.

    For an option of another verb, that verb is named.
    """
    name, ctx = error.option_name, error.ctx
    here, said = OPTIONS.get(name, (name, ""))
    if ctx is None or ctx.parent is None:
        return error
    if (own := OF_VERBS.get((str(ctx.info_name), name))) is not None:
        said = own
    elif here not in _options(ctx.command):
        verbs = _verbs_with(here, ctx.parent)
        if not verbs:
            return error
        *most, last = verbs
        said = (
            f"{', '.join(most)}{' and ' if most else ''}{last} {'have' if most else 'has'} it, {ctx.info_name} does not"
            + (f": {said}" if said else "")
        )
    return click.NoSuchOption(name, f"No such option {name!r}; {said}", ctx=ctx)


def _options(command: click.Command) -> set[str]:
    return {name for param in command.params for name in (*param.opts, *param.secondary_opts)}


def _verbs_with(option: str, door: click.Context) -> list[str]:
    """Return the verbs that have an option."""
    group = door.command
    if not isinstance(group, click.Group):
        return []
    verbs = ((name, group.get_command(door, name)) for name in group.list_commands(door))
    return [name for name, verb in verbs if verb is not None and option in _options(verb)]
