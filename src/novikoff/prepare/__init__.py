"""Convert raw columns to vectors: words, categories, scaling, products; fitted on training rows, stored as plain data.

A row goes from `Raw` (as read) through `Preparation` (fitted steps) to a matrix for the estimator. `to_record` stores
what was fitted in the model, `from_record` restores it: JSON and arrays, no code.
"""

from novikoff.prepare.contributions import Contribution, contributions
from novikoff.prepare.hashing import Hash
from novikoff.prepare.imputation import Impute
from novikoff.prepare.onehot import OneHot
from novikoff.prepare.preparation import Preparation, PreparedMatrix, requested
from novikoff.prepare.products import Products, UnitRows
from novikoff.prepare.raw_columns import Raw
from novikoff.prepare.scaling import Scale, Unscaled
from novikoff.prepare.text_analysis import TextAnalysis, analysis_of
from novikoff.prepare.word_counts import Words

__all__ = [
    "Contribution",
    "Hash",
    "Impute",
    "OneHot",
    "Preparation",
    "PreparedMatrix",
    "Products",
    "Raw",
    "Scale",
    "TextAnalysis",
    "UnitRows",
    "Unscaled",
    "Words",
    "analysis_of",
    "contributions",
    "requested",
]
