"""
The angle to a teacher
======================

Points are labelled by a plane, the teacher. The cosine between w and the teacher rises at least like √n·γ/R; that of
an unbiased random walk does not rise.
"""

import matplotlib.pyplot as plt

import novikoff as nv

found = nv.angle_experiment(N=20, P=100, seed=1)
updates = [row["update"] for row in found.rows]
figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4))
styles = {"cosine": "-", "cosine_bound": "--", "walk_cosine": ":"}
for name, style in styles.items():
    left.plot(updates, [row[name] for row in found.rows], style, label=name)
for name, style in {
    "norm": "-",
    "norm_bound": "--",
    "walk_norm": ":",
    "overlap": "-.",
    "overlap_bound": (0, (1, 3)),
}.items():
    right.plot(updates, [row[name] for row in found.rows], linestyle=style, label=name)
left.set(xlabel="updates", title="cosine of the angle to the teacher")
right.set(xlabel="updates", title="|w| and w·w*", yscale="symlog")
left.legend()
right.legend()

# %%
# The teacher's smallest margin is about 1/(P√N): the fitted exponents are near −1 and −1/2.

print(nv.margin_experiment(N=(10, 40), P=(50, 200), trials=100).to_text())
