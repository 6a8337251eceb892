"""Figures: the same bytes for the same table, Romanian letters drawn, populations told apart in grey."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgb

from rocite import figures


def population_table() -> pd.DataFrame:
    rows = [
        {
            "embedder": name,
            "label": label,
            "id": f"{label}{i}",
            "score": 0.5 + 0.05 * i - 0.1 * (label == "out"),
            "threshold": 0.45,
            "margin": -0.02,
        }
        for name in ("e5", "minilm", "mine")
        for label in ("in", "out")
        for i in range(4)
    ]
    return pd.DataFrame(rows)


def size_table() -> pd.DataFrame:
    rows = [{"embedder": e, "size": n, "negative": 0.5, "low": -0.1, "median": 0.0, "high": 0.1} for e in ("e5", "tfidf") for n in (7, 14)]
    return pd.DataFrame(rows)


def outcome_table() -> pd.DataFrame:
    names = list(figures.OUTCOME_COLOURS)
    rows = [{"model": m, "case": c, "position": p, "outcome": names[p % 3]} for m in ("a", "b") for c in ("x", "y") for p in range(4)]
    return pd.DataFrame(rows)


DRAWN = {
    "populations": (figures.populations, population_table),
    "margin": (figures.margin_by_size, size_table),
    "outcomes": (figures.outcomes, outcome_table),
}


@pytest.mark.parametrize("name", DRAWN)
def test_a_second_drawing_has_the_same_bytes(name, tmp_path):
    draw, table = DRAWN[name]
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        with figures.style():
            figures.save(draw(table()), tmp_path / folder / name)
    for suffix in (".svg", ".png"):
        assert (tmp_path / "one" / f"{name}{suffix}").read_bytes() == (tmp_path / "two" / f"{name}{suffix}").read_bytes()


def test_a_drawing_holds_no_date_and_no_version(tmp_path):
    with figures.style():
        figures.save(figures.populations(population_table()), tmp_path / "x")
    text = (tmp_path / "x.svg").read_text(encoding="utf-8")
    assert "dc:date" not in text and "Matplotlib v" not in text
    assert b"Software" not in (tmp_path / "x.png").read_bytes()


def test_romanian_letters_and_quotes_are_drawn():
    with figures.style():
        figure, ax = plt.subplots()
        ax.set_title("ĂÂÎȘȚ ăâîșț „ ” − ✓ ✗")
        figure.canvas.draw()
        plt.close(figure)


def test_a_letter_that_the_font_lacks_is_an_error():
    with figures.style():
        figure, ax = plt.subplots()
        ax.set_title("𒀀")
        with pytest.raises(UserWarning, match="[Gg]lyph"):
            figure.canvas.draw()
        plt.close(figure)


def lightness(colour: str) -> float:
    return float(np.dot(to_rgb(colour), (0.2126, 0.7152, 0.0722)))


def test_the_two_populations_differ_in_grey_and_in_shape():
    assert abs(lightness(figures.LEGITIMATE) - lightness(figures.IMPOSTOR)) > 0.25
    assert figures.LABEL_MARKERS["in"] != figures.LABEL_MARKERS["out"]


def test_every_question_is_one_point():
    with figures.style():
        figure = figures.populations(population_table())
    for ax in figure.axes:
        assert sum(len(c.get_offsets()) for c in ax.collections) == 8
    plt.close(figure)
