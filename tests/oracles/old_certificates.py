"""The content of a certificate in the three formats of before, which `frozen_checker` checks."""

from __future__ import annotations

from typing import Any

from oracles import frozen_checker as frozen

EMPTY: dict[str, Any] = {"w": None, "b": None, "support": None, "weights": None, "held": None, "held_weights": None}


def dense(sparse: dict[str, Any], size: int) -> list[str]:
    values = dict(zip(sparse["at"], sparse["values"], strict=True))
    return [values.get(m, "0") for m in range(size)]


def negative(text: str) -> str:
    return text if text == "0" else text[1:] if text[0] == "-" else "-" + text


def old_certificate(new: dict[str, Any], rows: list[tuple[str, list[float]]]) -> dict[str, Any]:
    """The same claim with the same proof; rows: the labels and the numbers of the data."""
    model, columns = new["model"], new["data"]["columns"]
    digest = frozen.Digest(columns)
    for label, numbers in rows:
        digest.add(frozen.label_text(label), {j: x for j, x in enumerate(numbers) if x})
    data = {
        "digest": digest.hexdigest(),
        "n": len(rows),
        "d": columns,
        "bias": model["intercept"],
        "numbers": "binary64",
    }
    if new["coefficients"] is not None:
        return _separation(new, data)
    labels = dict(zip(("negative", "positive"), model["classes"], strict=True))
    size = columns + model["intercept"]

    def plane(sparse: dict[str, Any]) -> dict[str, Any]:
        values = dense(sparse, size)
        return {"w": values[:columns], "b": values[columns] if model["intercept"] else None}

    if new["margins"] is not None:
        made = {"format": "novikoff-certificate/2", "claim": "margin", "data": data | labels}
        for name in ("geometric", "padded"):
            width = new["margins"][name]
            parts = width and plane(new["directions"][width["direction"]]) | {
                "rows": width["mixture"]["rows"],
                "weights": width["mixture"]["weights"],
                "lower": width["lower"],
                "upper": width["upper"],
            }
            made[name] = parts
        return made | {"radius2": new["margins"]["radius2"]}
    made = {"format": "novikoff-certificate/1", "claim": new["claim"], "data": data | labels} | EMPTY
    if new["directions"]:
        made |= plane(new["directions"][0])
    strict = new["strict"] or (new["zero_sum"] if new["claim"] == "not separable" else None)
    if strict:
        made |= {"support": strict["rows"], "weights": strict["weights"]}
    if new["claim"] in ("overlap", "quasi-complete"):
        made |= {"held": new["zero_sum"]["rows"], "held_weights": new["zero_sum"]["weights"]}
    return made


def _separation(new: dict[str, Any], data: dict[str, Any]) -> dict[str, Any]:
    model, found, width = new["model"], new["coefficients"], data["d"] + data["bias"]
    parts = len(model["classes"] or "01") - 1
    aliased = {one["column"]: one["relation"] for one in found["aliased"]}
    states, words = iter(found["states"]), []
    for m in range(parts * width):
        j = m % width
        words.append(None if j == model["trials"] else "aliased" if j in aliased else next(states))
    relations = []
    for j, relation in aliased.items():
        values = dict(zip(relation["at"], relation["values"], strict=True))
        factor = values.pop(j)
        on = {"on": [*values], "weights": [negative(v) for v in values.values()]}
        relations.append({"column": j, "factor": factor, **on})
    family = "frequencies" if model["family"] == "labels" and model["trials"] is not None else model["family"]
    classes = None if model["classes"] is None else [c or "" for c in model["classes"]]
    limits = [{"coefficient": one["coefficient"], "factor": one["factor"], **one["sum"]} for one in found["limits"]]
    zero = new["zero_sum"]
    return {
        "format": "novikoff-certificate/3",
        "claim": new["claim"],
        "data": data,
        "response": {"family": family, "classes": classes, "counts": model["trials"]},
        "names": [f"x{j + 1}" for j in range(width)],
        "coefficients": words,
        "aliased": relations,
        "directions": [dense(one, parts * width) for one in new["directions"]],
        "held": zero["rows"],
        "held_against": zero["against"],
        "held_weights": zero["weights"],
        "limits": limits,
    }
