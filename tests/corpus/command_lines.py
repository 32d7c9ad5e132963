"""The commands of the corpus, in words."""

from __future__ import annotations

FORMATS = ("csv", "tsv", "svm", "svm.gz", "csv.gz", "npz", "parquet", "arrow")
LEARNING = (
    "--order cyclic --eta 1 --schedule constant --seed 0 --rule perceptron --multi ova --ovo vote --keep pocket "
    "--tie negative --max-passes 20 --stall-train off --bias"
)


def single_commands() -> dict[str, str]:
    """Commands that stand alone, by name: examples, options, preparations, damaged files, wrong options."""
    fit = f"{LEARNING} --json"
    words = {
        f"example {name}": f"fit --example {name} {fit}"
        for name in ("tao", "cornwell", "spam", "or", "xor", "and", "iris", "wine", "breast-cancer")
    }
    words |= {f"certify example {name}": f"certify --example {name} --json" for name in ("tao", "or", "xor", "iris")}
    words |= {f"margin example {name}": f"margin --example {name} --json" for name in ("tao", "cornwell", "or", "xor")}
    words |= {f"trace example {name}": f"trace --example {name} --json" for name in ("tao", "cornwell", "spam", "xor")}
    for option in (
        "--holdout 0.25",
        "--test-every 4",
        "--test separable.csv",
        "--scale",
        "--normalize",
        "--features poly2",
        "--no-bias",
        "--classes 0,1",
        "--label 5",
        "--label f0 --one-hot",
        "--w0 1,2,3,4,5",
        "--positive 0",
        "--known-margin 0.5",
        "--max-updates 5",
        "--valid separable.csv --stall-valid 3",
        "--stall-train 4",
        "--memory 100M",
        "--expect separated",
        "--missing drop",
        "--engine threads",
    ):
        words[f"fit {option}"] = f"fit noisy.csv {fit} {option}"
    words |= {
        "cv": f"cv noisy.csv --folds 4 {fit}",
        "cv scaled": f"cv three.csv --folds 3 --scale {fit}",
        "missing": f"fit missing.csv {fit}",
        "missing drop": f"fit missing.csv --missing drop {fit}",
        "bad row": f"fit bad.csv {fit}",
        "transpose": f"fit across.csv --transpose --label 5 {fit}",
        "comma": f"fit comma.csv --decimal-comma {fit}",
        "one hot": f"fit colours.csv --one-hot {fit}",
        "category": f"fit colours.csv --category colour {fit}",
        "text": f"fit mail.tsv --label kind --text mail {fit}",
        "tfidf": f"fit mail.tsv --label kind --text mail --tfidf {fit}",
        "hash": f"fit mail.tsv --label kind --text mail --hash-bits 6 {fit}",
        "min df": f"fit mail.tsv --label kind --text mail --min-df 2 --scale {fit}",
        "plus": "certify plus.csv --json",
        "interval": "certify noisy.csv --proof interval --json",
        "removal": "certify few.csv --removal --json",
        "certify drop": "certify missing.csv --missing drop --json",
        "separation drop": "separation missing.csv --missing drop --json",
    }
    damaged = (
        "bad.csv",
        "bad.svm",
        "falling.svm",
        "empty.csv",
        "one-class.csv",
        "nan.csv",
        "cut.npz",
        "cut.parquet",
        "cut.csv.gz",
        "nothing.csv",
        "no-label.csv",
        "other.npz",
    )
    for file in damaged:
        words[f"damaged fit {file}"] = f"fit {file} {fit} -o m.nvk"
        words[f"damaged certify {file}"] = f"certify {file} --json -o p.json"
        words[f"damaged convert {file}"] = f"convert {file} o.npz"
        words[f"damaged separation {file}"] = f"separation {file} --json"
    for wrong in (
        "fit noisy.csv --rule x",
        "fit noisy.csv --eta 0",
        "fit noisy.csv --label nobody",
        "fit noisy.csv --classes 0",
        "fit",
        "fit noisy.csv --w0 1,2",
        "certify three.csv --removal",
        "predict m.nvk noisy.csv",
        "margin noisy.csv",
        "verify noisy.csv noisy.csv",
        "fit noisy.csv --holdout 2",
        "fit noisy.csv --checkpoint c --resume",
        "cv noisy.csv --folds 1",
        "fit noisy.csv -o noisy.csv",
        "explain noisy.csv",
        "convert noisy.csv x.onnx",
    ):
        words[f"wrong {wrong}"] = wrong
    return words


def command_groups() -> dict[str, tuple[str, ...]]:
    """Commands that need the files of those before them."""
    fit = f"{LEARNING} --json -o m.nvk"
    return {
        "checkpoint": (
            f"fit noisy.csv --checkpoint c {LEARNING} --json",
            f"fit noisy.csv --checkpoint c --resume {LEARNING} --json -o m.nvk",
            f"fit separable.csv --checkpoint c --resume {LEARNING} --json",
        ),
        "prepared": (
            f"fit mail.tsv --label kind --text mail --tfidf --scale {fit}",
            "predict m.nvk mail.tsv --scores",
            "evaluate m.nvk mail.tsv --json",
            "explain m.nvk --message win --json",
        ),
        "new rows": (
            f"fit noisy.csv {fit}",
            "predict m.nvk new.csv",
            "evaluate m.nvk new.csv --json",
            "predict m.nvk other.npz",
        ),
        "exports": (f"fit noisy.csv {fit}", "convert m.nvk m.onnx"),
        "margin": (
            "margin separable.csv -o p.json --json",
            "verify p.json separable.csv --json",
            "verify p.json noisy.csv --json",
        ),
        "checker": (
            "certify noisy.csv -o p.json",
            "verify p.json noisy.csv --slow --json",
            "verify p.json noisy.svm --json",
        ),
        "outside": (
            f"fit noisy.svm --memory 1K {fit}",
            "certify noisy.svm --memory 1K --json",
            "convert noisy.svm o.npz --memory 1K",
        ),
    }
