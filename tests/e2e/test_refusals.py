"""What the commands refuse: the call, the exit code, the words; nothing is printed, written or changed."""

from __future__ import annotations

import gzip
import shlex
from pathlib import Path

import numpy as np
import pytest

from commands import novikoff

CHANCE = np.random.default_rng(0)
X = np.round(CHANCE.normal(size=(40, 3)), 2)
ROWS = [",".join(map(str, x)) for x in X.tolist()]
LABELLED = [f"{row},{'yes' if x[0] > 0 else 'no'}" for row, x in zip(ROWS, X, strict=True)]
COLOURS = [f"{'red' if i % 2 else 'blue'},{i},2,{i % 2}" for i in range(9)]
FILES = {
    "train.csv": ["a,b,c,label", *LABELLED],
    "outcome.csv": ["a,b,c,outcome", *LABELLED],
    "nohead.csv": LABELLED,
    "new.csv": ["a,b,c", *ROWS],
    "two.csv": ["a,b", *(row.rpartition(",")[0] for row in ROWS)],
    "three.csv": ["a,b,c,label", *(f"{row},{i % 3}" for i, row in enumerate(ROWS))],
    "comma.csv": ["a;b;label", *(f"{i},5;{i},1;{i % 2}" for i in range(9))],
    "thousands.csv": ["a,b,label", '1,"2,000",x', "2,3,y"],
    "points.csv": ["a;b;label", "1;18.333,50;x", "2;3,5;y"],
    "quoted.csv": ["a,b,label", '1,"3,5",x', "2,3,y"],
    "large.csv": ["a,b,label", "1,2,0", "1e999,3,1"],
    "line.csv": LABELLED[:1],
    "slip.csv": ["5,unknown,7,yes", *LABELLED],
    "colours.csv": ["colour,a,b,kind", *COLOURS],
    "colours-bare.csv": COLOURS,
    "odor.csv": ["odor,cap,kind", "a,b,p", "b,a,e", "a,a,p", "b,b,e"],
    "bare.csv": ROWS,
    "titled.csv": ["Report,,", "a,b,label", "1,2,x", "3,4,y"],
    "data.txt": LABELLED,
    "data.xlsx": LABELLED,
    "empty.csv": [],
    "head.csv": ["a,b,y"],
    "nan.csv": ["a,y", "1,0", "nan,1"],
    "gap.csv": ["a,y", "1,0", ",1"],
    "label.csv": ["a,y", "1,", "2,z"],
    "cells.csv": ["a,y", "1,0", "1,2,3"],
    "words.csv": ["a,b", "1,x", "oops,y"],
    "twice.csv": ["a,a,label", "1,2,x", "3,4,y"],
    "one.csv": ["x,label", "1,a", "2,a"],
    "hole.csv": ["a,b,label", "1,,x", "2,,y"],
    "odd.csv": ["age,label", "1,x", "??,y"],
    "big.csv": ["x,label", "1e60,a", "2,b"],
    "few.csv": ["a,y", "1,p", "2,q", "3,q", "4,p"],
    "cars.csv": ["Miles_per_Gallon,n,origin", "1,1,us", "2,3,us", "3,2,eu", "4,2,eu"],
    "shoes.csv": ["size,sport,bought,seen", "40,0,2,3", "41,0,1,4", "42,1,5,5", "43,1,2,2", "44,0,3,6", "45,0,0,0"],
    "trial.csv": ["id,arm,age,death", *(f"{k},{'drug' if k % 2 else 'other'},{40 + k},{k % 3 // 2}" for k in range(9))],
    "mails.tsv": ["label\ttext", "spam\tfree cash", "ham\tsee you", "spam\tcash now", "ham\tlunch"],
    "bad.tsv": ["a,b,y", "1,2,0"],
    "a.svm": ["1 1:2 2:1", "-1 1:0 2:3", "1 1:4 2:1", "-1 1:1 2:5"],
    "bad.svm": ["1 1:1", "-1 x:2"],
    "other.svm": ["1 1:1", "3 2:1"],
    "a.xyz": ["1 1:1"],
}
REFUSALS = [
    # ---- words that are no command
    ("fti train.csv", 2, "did you mean fit?"),
    ("xyz", 2, "there are fit, predict"),
    ("fit", 2, "use --example NAME"),
    ("trace", 2, "use --example NAME"),
    ("certify", 2, "use --example NAME"),
    ("predict m.nvk", 2, "Missing argument 'DATA'"),
    ("fit train.csv --lable 3", 2, "--label"),
    ("fit train.csv --keep best", 2, "'last', 'pocket', 'average', 'vote'"),
    ("trace --example or --order sideways", 2, "sideways"),
    ("theory experiment circles", 2, "circles"),
    # ---- options that exclude each other or cannot matter
    ("fit train.csv --example or", 2, "both train.csv and --example or: give one of them"),
    ("fit --example or --text 2", 2, "--text applies only to files"),
    ("fit --example or --no-header", 2, "--header applies only to files"),
    ("fit --example iris --auto", 2, "--auto is for a table in a file"),
    ("fit a.svm --auto", 3, "--auto: is for csv, tsv, parquet, arrow"),
    ("fit train.csv --auto --transpose --label 2", 2, "--auto and --transpose"),
    ("fit --example or --holdout 1/4 --test t.csv", 2, "--test and --holdout: use only one of them"),
    ("fit train.csv --resume", 2, "name the folder to resume from with --checkpoint"),
    ("fit a.svm --label 2", 2, "--label applies only to csv, tsv, parquet, arrow; a.svm is read as svmlight"),
    ("fit a.svm --one-hot", 2, "--one-hot applies only to csv"),
    ("fit a.svm --header", 2, "--header/--no-header applies only to csv, tsv"),
    ("fit a.svm --decimal-comma", 2, "--decimal-comma applies only to csv, tsv"),
    ("predict s.nvk a.svm --no-header", 2, "applies only to csv, tsv; a.svm is read as svmlight"),
    ("convert a.svm b.csv --label 2", 2, "--label applies only to"),
    ("fit a.svm --transpose", 3, "--transpose: is for csv and tsv"),
    ("fit train.csv --pa-C 3", 2, "--pa-C: the rule perceptron does not use it; leave it out, or say --rule pa1 or"),
    ("cv train.csv --pa-C 3", 2, "--pa-C: the rule perceptron does not use it"),
    ("fit train.csv --threshold 3 --rule pa1", 2, "--threshold: the rule pa1 does not use it"),
    ("explain m.nvk train.csv", 2, "give --message TEXT, or DATA with --row K, or neither"),
    ("explain m.nvk --no-label", 2, "--no-label: is for a row; give --message TEXT, or DATA with --row K"),
    ("predict m.nvk new.csv --workers 2", 2, "--workers: is for --engine"),
    *(
        (
            f"{verb} --engine dask",
            2,
            f"a cluster is sent arrays: convert it once, by novikoff convert {verb.split()[1]} ",
        )
        for verb in ("certify train.csv", "margin mails.tsv --text text", "fit a.svm --mix", "certify - --format csv")
    ),
    ("predict m.nvk new.csv --with a --json", 2, "--with and --json"),
    ("trace --example or --csv - --json", 2, "only one answer can go to stdout"),
    ("trace --example or --csv - --latex -", 2, "only one answer can go to stdout"),
    ("report train.csv", 2, "name the page, as in -o report.html, or print the numbers with --json"),
    ("margin --example or --eta 2", 2, "--w0"),
    ("margin train.csv --holdout 0.2 -o p.json", 2, "a proof is about all rows of a file"),
    ("certify --example iris -o p.json", 2, "two classes"),
    ("certify --example iris --removal", 2, "two classes"),
    ("certify --example xor --expect maybe", 2, "maybe"),
    ("certify three.csv --classes 0,1 -o q.json", 3, "a certificate is about a whole file"),
    ("certify train.csv --proof interval -o p.json", 3, "an interval proof cannot be saved; use --proof rational"),
    ("fit train.csv --missing drop --impute-numbers mean", 3, "--missing impute only"),
    ("fit train.csv --partitions 3", 3, "--partitions: 3 without --mix"),
    ("fit train.csv --mix --partitions 91", 3, "--partitions: found 91 for 40 rows"),
    ("fit train.csv --mix --rule pa1", 3, "--rule: 'pa1' with --mix"),
    ("fit train.csv --mix --keep vote", 3, "--keep: 'vote' with --mix"),
    ("fit train.csv --mix --order batch", 3, "--order: 'batch' with --mix"),
    ("fit train.csv --order batch --rule margin", 3, "--rule: 'margin' with --order batch"),
    ("fit train.csv --order batch --keep vote", 3, "--keep: 'vote' with --order batch"),
    ("fit three.csv --order batch", 3, "--order: 'batch' is for two classes, found 3"),
    # ---- numbers
    ("fit --example or --eta 0", 2, "'--eta': 0 is not greater than 0"),
    ("fit --example or --eta one", 2, "'one' is not a number"),
    ("fit --example or --eta 1e400", 3, "too large"),
    ("fit --example or --w0 1,,2", 2, "'' is not a number"),
    ("fit --example or --w0 1,2", 3, "3 expected (2 features and the bias)"),
    ("fit --example iris --w0 1,2,3,4,5", 3, "--w0 is available only for two classes; the data have 3"),
    ("fit --example iris --order first", 3, "--order: 'first' is for two classes"),
    ("fit --example or --holdout 1", 2, "1 is not less than 1"),
    ("fit --example or --holdout 0.1", 3, "no row of 4"),
    ("fit --example or --holdout 3/4", 3, "--holdout: found 0.75, with which no row of class 1 is left"),
    ("fit --example or --stall-valid 3", 3, "--stall-valid 3: class -1 has only one training point"),
    ("fit --example or --max-passes 0", 2, "--max-passes"),
    ("fit --example or --stall-train never", 2, "--stall-train"),
    ("fit train.csv --test-every 5x", 2, "'5x' is not a valid integer range"),
    ("fit train.csv --test-every 99", 3, "--test-every: found 99, with which no row of 40"),
    ("trace --example or --seed -1", 2, "--seed"),
    ("fit train.csv --memory much", 3, "--memory: "),
    ("certify train.csv --max-seconds=nan", 2, "--max-seconds"),
    ("separation train.csv --max-seconds=-1", 2, "--max-seconds"),
    ("cv train.csv --folds 30", 3, "--folds 30: class"),
    ("cv few.csv --folds 3", 3, "use at most --folds 2"),
    ("fit --example nosuch", 3, "cornwell"),
    ("trace --example digits", 3, "choose two, as in --classes 0,1"),
    ("fit --example digits --classes 3,x", 3, "0, 1, 2, 3"),
    # ---- files
    ("fit nofile.csv", 3, "nofile.csv: cannot be read (No such file or directory)"),
    ("fit nothing*.csv", 3, "nothing*.csv"),
    ("predict nosuch.nvk new.csv", 3, "nosuch.nvk: cannot be read"),
    ("fit empty.csv", 3, "empty.csv: found no rows"),
    ("certify head.csv", 3, "found no rows"),
    ("theory position empty.csv", 3, "found no rows"),
    ("theory bits head.csv", 3, "found no rows"),
    ("fit data.txt", 3, "data.txt: the name does not determine the format; say --format csv"),
    ("fit data.xlsx", 3, "data.xlsx: is a spreadsheet; save its sheet as CSV in UTF-8"),
    ("fit a.xyz", 3, "the name does not determine the format; say --format"),
    ("fit -", 3, "standard input has no name to tell the format; say --format csv"),
    ("convert train.csv x.pdf", 3, "x.pdf: the name does not determine the format; expected an ending for csv"),
    ("convert train.csv x.onnx", 3, "train.csv: found a text that begins with"),
    ("explain train.csv", 3, "train.csv: found a text that begins with"),
    ("predict new.csv m.nvk", 3, "new.csv: found a text that begins with 'a,b,c\\n"),
    ("predict cut.nvk new.csv", 3, "cut.nvk: found"),
    ("fit cut.csv.gz", 3, "cut.csv.gz"),
    ("fit bad.svm", 3, "bad.svm, line 2, byte 4: found 'x:2'"),
    ("certify bad.tsv", 3, "bad.tsv: found one column, 'a,b,y'; cells between tabs were expected"),
    ("fit utf16.csv", 3, "found text in UTF-16; UTF-8 was expected: save it so, as by iconv"),
    # ---- columns
    ("fit train.csv --label nolabel", 3, "no column is named 'nolabel'; the columns are a, b, c, label; --label says"),
    ("fit train.csv --label 9", 3, "there is no column 9; the first line has 4 cells"),
    ("certify train.csv --label 0", 2, "--label"),
    ("fit train.csv --columns a,z", 3, "no column is named 'z'; the columns are a, b, c, label"),
    ("certify train.csv --drop Nobody", 3, "no column is named 'Nobody'"),
    ("fit train.csv --columns a,,b", 2, "--columns"),
    ("fit train.csv --drop label --label label", 3, "--drop label: this column is the label"),
    ("fit train.csv --auto --label nobody", 3, "no column is named 'nobody'"),
    ("fit outcome.csv --auto", 3, "which column is the label?"),
    ("fit twice.csv", 3, "two columns are named 'a'; each needs a name of its own"),
    ("fit titled.csv", 3, "; lines before the header, such as a title, are removed first\n"),
    ("evaluate m.nvk new.csv", 3, "no column is named 'label'; the columns are a, b, c; --label says which"),
    ("evaluate o.nvk train.csv", 3, "the columns are a, b, c, label; --label says which one is the label\n"),
    ("fit train.csv --test new.csv", 3, "no column is named 'label'"),
    ("predict m.nvk two.csv", 3, "two.csv: no column is named 'c', but training had one"),
    ("predict m.nvk new.csv --with town", 3, "--with: "),
    ("fit cars.csv --label miles_per_gallon", 3, "did you mean 'Miles_per_Gallon'?"),
    ("fit cars.csv --label origin --drop miles.per.gallon", 3, "did you mean 'Miles_per_Gallon'?"),
    ("separation cars.csv --formula origin~miles_per_gallon", 3, "did you mean 'Miles_per_Gallon'?"),
    # ---- cells and rows
    ("fit comma.csv", 3, "line 2, column 1 ('a'): found '0,5'; a number was expected; --decimal-comma reads 0,5 as"),
    ("fit train.csv --decimal-comma", 3, "--decimal-comma is for semicolons or tabs between the cells"),
    ("fit thousands.csv", 3, "line 2, column 2 ('b'): found '2,000'; a number was expected, and this looks like thous"),
    ("fit points.csv --decimal-comma", 3, "found '18.333,50'; a number was expected, and this looks like thousands"),
    ("fit quoted.csv", 3, "this has a decimal comma, but commas separate the cells: write 3.5"),
    ("fit odd.csv", 3, "found '??'; a number was expected; mend the cell: an empty one, ? or NA is a missing number"),
    ("fit large.csv", 3, "line 3, column 1 ('a'): found '1e999'; a number up to 1.7e308 was expected: this one is bey"),
    ("fit large.csv --one-hot", 3, "this one is beyond binary64"),
    ("certify nan.csv", 3, "line 3, column 1 ('a'): found 'nan'"),
    ("certify gap.csv", 3, "line 3, column 1 ('a'): found an empty cell; a number was expected; --missing drop"),
    ("certify label.csv", 3, "label.csv, line 2, column 2 ('y'): found an empty cell; a label was expected"),
    ("margin label.csv", 3, "found an empty cell; a label was expected"),
    ("fit hole.csv --missing impute", 3, "column 'b': every number is missing in training"),
    ("certify cells.csv", 3, "line 3: found 3 cells"),
    ("fit words.csv", 3, "words.csv, line 3, column 1 ('a'): found 'oops'; a number was expected; --one-hot"),
    ("fit one.csv", 3, "only one class"),
    ("report one.csv -o r.html", 3, "found one class, 'a'; two or more were expected"),
    ("evaluate m.nvk three.csv", 3, "found the label '0' in row 1; expected a class of the training rows: no, yes"),
    ("fit a.svm --test other.svm", 3, "other.svm: found the label '3' in row 2; expected a class of the training"),
    ("explain m.nvk train.csv --row 99", 3, "--row 99: train.csv has 40 rows"),
    ("explain m.nvk --message hello", 3, "--message: is for a model of one column of text"),
    ("explain m.nvk train.csv --row 1 --class rose", 3, "--class: two classes have one score; leave it out"),
    # ---- a first line that may be a header
    ("predict m.nvk line.csv", 3, "which could be a header or a row (numbers and words); --header or --no-header"),
    ("predict m.nvk line.csv --header", 3, "found no rows; expected points, one a line; the first line was taken as"),
    ("predict m.nvk nohead.csv --header", 3, "the model knows none of them: --no-header says that it is a row"),
    ("predict m.nvk nohead.csv --no-header", 3, "so none is 'label'; give it by number, as in --label 4"),
    ("fit slip.csv", 3, "found '5,unknown,7,yes' in the first line, which could be a header or a row"),
    ("fit odor.csv --one-hot", 3, "the class 'kind' is only in the first line, which was read as a row: is it a"),
    ("predict c.nvk colours-bare.csv", 3, "if they are a row and no header: the model identifies columns by name: add"),
    (
        "fit nohead.csv --label sort",
        3,
        "; --label says which one is the label; if they are a row and no header: --no-header",
    ),
    ("evaluate o.nvk bare.csv", 3, "if they are a row and no header: --no-header, and columns by number"),
    # ---- texts
    ("fit shoes.csv --tfidf", 3, "--tfidf: there is no text column; name it with --text"),
    ("fit mails.tsv --text text --ngrams 2", 2, "'2': write the shortest and the longest, as in 1,2"),
    ("fit mails.tsv --text text --ngrams 3,2", 3, "--ngrams: found (3, 2); two integers, the shortest and the longest"),
    # ---- outputs
    ("fit train.csv -o missing/m.nvk", 3, "missing/m.nvk: cannot be written"),
    ("predict m.nvk new.csv -o missing/x.txt", 3, "missing/x.txt: cannot be written"),
    ("trace --example tao --csv missing/x.csv", 3, "missing/x.csv: cannot be written"),
    ("certify train.csv -o missing/p.json", 3, "missing/p.json: cannot be written"),
    ("report --example cornwell -o missing/r.html", 3, "missing/r.html: cannot be written"),
    ("verify --checker missing/x.py", 3, "missing/x.py: cannot be written"),
    ("fit train.csv -o .", 2, ".: is a folder; name a file in it"),
    ("fit train.csv -o new/", 2, "ends as a folder does; name a file"),
    ("fit train.csv -o locked.nvk", 3, "locked.nvk: cannot be written (it is read-only)"),
    ("certify train.csv -o locked.nvk", 3, "locked.nvk: cannot be written (it is read-only)"),
    ("trace --example or --html locked.nvk", 3, "locked.nvk: cannot be written (it is read-only)"),
    ("fit train.csv -o train.csv", 2, "this command reads it"),
    ("fit train.csv -o ./link.csv", 2, "this command reads it"),
    ("fit train.csv -o hard.csv", 2, "this command reads it"),
    ("fit train.csv --test outcome.csv -o outcome.csv", 2, "this command reads it"),
    ("fit train.csv --valid outcome.csv -o outcome.csv", 2, "this command reads it"),
    ("fit tra*.csv -o train.csv", 2, "this command reads it"),
    ("fit train.csv --plot train.csv", 2, "train.csv"),
    ("certify train.csv -o train.csv", 2, "this command reads it"),
    ("margin train.csv -o train.csv", 2, "this command reads it"),
    ("separation train.csv -o train.csv", 2, "this command reads it"),
    ("verify p.json train.csv --checker p.json", 2, "this command reads it"),
    ("predict m.nvk new.csv -o new.csv", 2, "this command reads it"),
    ("predict m.nvk new.csv -o m.nvk", 2, "this command reads it"),
    ("trace train.csv --latex train.csv", 2, "this command reads it"),
    ("report train.csv -o train.csv", 2, "this command reads it"),
    ("convert train.csv train.csv", 2, "this command reads it"),
    ("trace --example or --csv x --latex ./x", 2, "would take the place of"),
    ("fit --example or -o x.svg --plot x.svg", 2, "would take the place of"),
    # ---- separation of regressions
    ("separation shoes.csv --label bought --counts nobody", 3, "no column of"),
    ("separation shoes.csv --label bought --counts bought", 3, "or it is the label's"),
    ("separation shoes.csv --label bought --counts 9", 3, "a column from 1 to 4 that is not the label's"),
    ("separation shoes.csv --label bought --counts sport", 3, "no more successes than trials"),
    ("separation shoes.csv --label sport --counts seen", 3, "Set --response labels or --response successes"),
    ("separation shoes.csv --label bought --positive 2", 3, "--positive: is for two classes, and y has 5"),
    ("separation shoes.csv --label bought --reference bought=9", 3, "--reference: found '9'; expected one of the"),
    ("separation shoes.csv --label bought --reference bought", 2, "write COLUMN=LEVEL"),
    ("separation shoes.csv --family gamma", 2, "gamma"),
    ("separation a.svm --counts 1", 3, "--counts"),
    ("separation trial.csv --formula 'death ~ C(army)'", 3, "no column is named 'army'"),
    ("separation trial.csv --formula 'dead ~ age'", 3, "no column is named 'dead'"),
    ("separation trial.csv --formula 'death ~ C(arm'", 3, "--formula: 'death ~ C(arm' cannot be used"),
    ("separation trial.csv --formula 'C(arm)'", 3, "--formula: 'C(arm)' has no response; write it as 'y ~ x1 + x2'"),
    ("separation trial.csv --formula 'death ~ age' --scale", 2, "--scale cannot be used with --formula"),
    ("separation trial.csv --formula 'death ~ age' --no-bias", 2, "--no-bias cannot be used with --formula: write 0"),
    # ---- soft margins
    ("fit train.csv --C 3", 2, "--C: only a soft margin uses it; add --soft hinge"),
    ("cv train.csv --C 3", 2, "--C: only a soft margin uses it; add --soft hinge"),
    ("fit train.csv --soft perceptron", 2, "with a penalty its only optimum is w = 0"),
    ("fit train.csv --soft hinge --C 0", 2, "0 is not greater than 0"),
    ("fit train.csv --soft hinge --C nan", 2, "'nan' is not a number"),
    ("fit train.csv --soft hinge --C 1e200", 3, "--C: found 1e+200; numbers from 1e-100 to 1e+80 were expected"),
    ("fit train.csv --soft hinge --gap 0", 2, "0 is not greater than 0"),
    ("fit train.csv --soft hinge --penalty l1", 2, "--penalty: found 'l1' with --soft hinge; l1 needs a smooth loss"),
    ("fit train.csv --soft hinge --class-weight yes=-1", 2, "-1 is not greater than 0"),
    ("fit train.csv --soft hinge --class-weight maybe=2", 3, "--class-weight maybe=…: no such class; the classes are"),
    ("fit train.csv --soft hinge --keep last", 2, "--keep: a soft margin does not use it; leave it out"),
    ("cv train.csv --soft hinge --keep last", 2, "--keep: a soft margin does not use it"),
    ("fit train.csv --soft hinge --threshold 2", 2, "--threshold: a soft margin does not use it; --soft hinge has"),
    ("fit train.csv --soft hinge --no-bias", 2, "a soft margin always has a bias; --soft-bias says whether it is"),
    ("fit train.csv --soft hinge --valid x.csv", 2, "--valid: a soft margin does not use it; --C auto chooses C on"),
    ("fit train.csv --soft hinge --max-updates 3", 2, "--max-updates: a soft margin does not use it; --gap, --max-pa"),
    ("fit train.csv --soft hinge --checkpoint state", 2, "--checkpoint: a soft margin has no checkpoints; leave it"),
    ("fit train.csv --soft hinge --from m.nvk", 2, "--from: a soft margin cannot be continued; fit all rows together"),
    ("fit train.csv --soft hinge --workers 2", 2, "--workers: one thread solves a soft margin; leave it out"),
    ("fit train.csv --soft hinge --expect separated", 2, "--expect: a soft margin may misclassify points; leave it"),
    ("fit train.csv --soft hinge --mix", 2, "--mix: one thread solves a soft margin"),
    ("fit train.csv --soft hinge --multi joint", 2, "--multi joint: a soft margin has ova and ovo"),
    ("fit one.csv --soft hinge", 3, "only one class, 'a'; two classes are needed"),
    ("fit big.csv --soft hinge", 3, "numbers too large: C times the largest |x|² is 1e+120; at most 1e+80 was"),
    # ---- theory
    ("theory capacity", 2, "-N is missing"),
    ("theory capacity -N -1", 2, "-N"),
    ("theory capacity -N 5 -P 0", 2, "-P"),
    ("theory capacity -N 5 -P 5 --ratio 2", 2, "not both"),
    ("theory capacity -N 5 -P 100000000000000", 3, "at most 1e"),
    ("theory capacity -N 1000000 --simulate 5", 3, "-N, -P: a draw of 1,000,000 points in 1,000,000 dimensions has"),
    ("theory capacity -N 5 --affine --simulate 5", 2, "--affine"),
    ("theory experiment worst -N 5", 2, "-N: worst does not use it"),
    ("theory experiment margin --delta 0.5", 2, "--delta: margin does not use it"),
    ("theory experiment orders", 2, "no data"),
    ("theory experiment starts --example xor", 1, "not separable"),
    ("theory experiment worst --delta 2", 3, "--delta: found 2"),
    ("theory experiment angle -N 5 -N 6", 2, "give it once"),
    ("theory experiment margin -N 100000000", 3, "-N: found 1e+08; at most 1,000,000 was expected"),
    ("theory bits --example iris", 3, "3"),
    ("theory bits --example or --order batch", 2, "batch"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files that go well or badly together, and models of them."""
    there = tmp_path_factory.mktemp("files")
    for name, lines in FILES.items():
        (there / name).write_text("".join(f"{line}\n" for line in lines))
    (there / "utf16.csv").write_text("a,b,label\n1,2,x\n3,4,y\n", encoding="utf-16")
    (there / "cut.csv.gz").write_bytes(gzip.compress(b"a,b,label\n1,2,x\n3,4,y\n" * 99)[:-20])
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(there)
        for data, model, *more in [
            ("train.csv", "m.nvk"),
            ("outcome.csv", "o.nvk"),
            ("colours.csv", "c.nvk", "--one-hot"),
            ("a.svm", "s.nvk"),
        ]:
            assert novikoff("fit", data, "-o", model, "--quiet", *more).code == 0
        assert novikoff("certify", "train.csv", "-o", "p.json").code == 0
    (there / "cut.nvk").write_bytes((there / "m.nvk").read_bytes()[:-1])
    (there / "locked.nvk").write_bytes((there / "m.nvk").read_bytes())
    (there / "locked.nvk").chmod(0o444)
    (there / "link.csv").symlink_to("train.csv")
    (there / "hard.csv").hardlink_to(there / "train.csv")
    return there


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(("call", "code", "words"), REFUSALS, ids=[call for call, _, _ in REFUSALS])
def test_what_is_refused(call: str, code: int, words: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    before = contents(folder)
    told = novikoff(*shlex.split(call))
    assert (told.code, told.out) == (code, ""), told.err
    assert words in (told.err if "\n" in words else " ".join(told.err.split()))
    if code == 3:
        assert told.err.startswith("novikoff: error: ")
        assert told.err.count("\n") == 1
    assert contents(folder) == before


@pytest.mark.parametrize(
    "call",
    [
        "fit comma.csv --decimal-comma --max-passes 3",
        "fit data.txt --format csv",
        "fit thousands.csv --drop b",
        "fit thousands.csv --category b",
        "evaluate o.nvk train.csv --label label",
        "predict m.nvk line.csv --no-header --label 4",
        "evaluate m.nvk three.csv --label-as 0:no --label-as '*:yes'",
        "cv few.csv --folds 2",
        "fit train.csv --rule pa2 --pa-C 3",
        "trace --example or --csv /dev/null --latex /dev/null",
    ],
)
def test_the_way_out_leads_out(call: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the messages advise works."""
    monkeypatch.chdir(folder)
    told = novikoff(*shlex.split(call))
    assert told.code == 0, told.err
