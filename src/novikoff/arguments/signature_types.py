"""Types of public parameters: what points, labels, classes and models may be. Values are checked when they are used."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import ArrayLike


class Shaped(Protocol):
    """A table in any storage: a sparse matrix, a data frame, a dask collection."""

    @property
    def shape(self) -> Any: ...


class WithLabels(Protocol):
    """Points that carry their labels, of `read` or `open_data`."""

    @property
    def rows(self) -> Any: ...

    @property
    def labels(self) -> Any: ...


class Model(Protocol):
    """A fitted estimator, or a pipeline that ends with one."""

    def predict(self, X: Any) -> Any: ...


class Decided(Protocol):
    """A verdict on whether points are separable."""

    @property
    def separable(self) -> bool | None: ...


Number = int | float | Fraction | str  # a text is read exactly, as in 1/3
Points = ArrayLike | Shaped | WithLabels | Sequence[Mapping[str, object]]
Labels = ArrayLike | Shaped
Label = str | bytes | int | float | np.generic
Sizes = int | Sequence[int]
Seed = int | np.random.RandomState | np.random.Generator
ClassWeights = Literal["balanced"] | Mapping[Any, float]
Schedule = str | Callable[[int], float]
