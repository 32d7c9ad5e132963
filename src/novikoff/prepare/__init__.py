"""Convert raw columns to vectors: words, categories, scaling, products; fitted on training rows, stored as plain data.

A row goes from `Raw` (as read) through `Preparation` (fitted steps) to a matrix for the estimator. `to_record` stores
what was fitted in the model, `from_record` restores it: JSON and arrays, no code.
"""

from novikoff.prepare.contributions import contributions
from novikoff.prepare.preparation import Preparation, requested
from novikoff.prepare.products import Products
from novikoff.prepare.raw_columns import Raw

__all__ = ["Preparation", "Products", "Raw", "contributions", "requested"]
