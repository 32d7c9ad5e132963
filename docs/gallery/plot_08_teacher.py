"""
The angle to a teacher
======================

Points are labelled by a plane, the teacher. The cosine between w and the teacher rises at least like √n·γ/R; that of
an unbiased random walk does not rise. In the pictures *norm* is the length of w, and *overlap* its component along
the teacher.
"""

import matplotlib.pyplot as plt

import novikoff as nv

found = nv.angle_experiment(N=20, P=100, seed=1)
updates = [row["update"] for row in found.rows]
figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4))
for ax, curves in (
    (left, {"cosine": "-", "cosine_bound": "--", "walk_cosine": ":"}),
    (right, {"norm": "-", "norm_bound": "--", "walk_norm": ":", "overlap": "-.", "overlap_bound": (0, (1, 3))}),
):
    for name, style in curves.items():
        ax.plot(updates, [row[name] for row in found.rows], linestyle=style, label=name.replace("_", " "))
    ax.legend()
left.set(xlabel="updates", title="cosine of the angle to the teacher")
right.set(xlabel="updates", title="|w| and w·w*", yscale="symlog")

# %%
# The teacher's smallest margin is about 1/(P√N): the fitted exponents are near −1 and −1/2.

print(nv.margin_experiment(N=(10, 40), P=(50, 200), trials=100).to_text())
