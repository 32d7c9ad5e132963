"""Raw columns to vectors: words, categories, scaling, products; learned from training rows, kept as plain data.

A row travels: `Raw` (what a reader found) → `Preparation` (fitted steps) → a matrix that the learner takes. What was
learned goes into the model by `to_record`, and comes back by `from_record`: JSON and arrays, nothing that runs.
"""

from novikoff.prepare.contributions import Contribution, contributions
from novikoff.prepare.hashing import Hash
from novikoff.prepare.onehot import OneHot
from novikoff.prepare.preparation import Preparation, PreparedMatrix, requested
from novikoff.prepare.products import Products, UnitRows
from novikoff.prepare.raw_columns import Raw, chosen_columns
from novikoff.prepare.scaling import Divide, Scale, Unscaled
from novikoff.prepare.word_counts import Words

__all__ = [
    "Contribution",
    "Divide",
    "Hash",
    "OneHot",
    "Preparation",
    "PreparedMatrix",
    "Products",
    "Raw",
    "Scale",
    "UnitRows",
    "Unscaled",
    "Words",
    "chosen_columns",
    "contributions",
    "requested",
]
