"""What notebooks show: all text escaped, Romanian marked, long tables cut with a word about the rest."""

import pandas as pd
import pytest

from rocite.display import Picture, Prose, Table
from rocite.errors import InputError
from rocite.report import base
from rocite.stats import Estimate
from rocite.workflow import publish, site

HOSTILE = '<script>alert(1)</script><img src=x onerror=alert(2)> & "quoted" **not bold'


def test_a_hostile_cell_is_text():
    shown = Table(pd.DataFrame([{"answer": HOSTILE}]), "tables/x.csv")._repr_html_()
    assert "<script" not in shown and "<img" not in shown
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in shown


def test_a_hostile_answer_in_prose_is_text():
    shown = Prose(f"The model wrote “{HOSTILE}”.")._repr_html_()
    assert "<script" not in shown and "<img" not in shown


def test_a_hostile_caption_is_text(tmp_path):
    (tmp_path / "x.svg").write_text("<svg/>", encoding="utf-8")
    shown = Picture(tmp_path / "x.svg", HOSTILE, f'a"{HOSTILE}', HOSTILE, HOSTILE)._repr_html_()
    assert "<script" not in shown and 'alt="a&quot;' in shown


def test_bold_and_quoted_romanian_are_the_only_markup():
    shown = Prose("**Nothing** was “găsit”.")._repr_html_()
    assert shown == '<div class="answer"><p><strong>Nothing</strong> was “<span lang="ro">găsit</span>”.</p></div>'


def test_romanian_columns_are_marked_as_romanian():
    shown = Table(pd.DataFrame([{"question": "Cât costă?", "verdict": "refused"}]), "tables/x.csv")._repr_html_()
    assert '<td lang="ro">Cât costă?</td><td>refused</td>' in shown


def test_a_missing_value_is_said_to_be_missing():
    assert "<td>n/a</td>" in Table(pd.DataFrame([{"a": float("nan")}]), "t.csv")._repr_html_()
    assert '<td class="number">−0.046</td>' in Table(pd.DataFrame([{"a": -0.0461}]), "t.csv")._repr_html_()


def test_a_long_table_says_how_much_is_not_shown():
    shown = Table(pd.DataFrame({"a": range(100)}), "tables/long.csv")._repr_html_()
    assert shown.count("<tr>") == 41 and "The first 40 of 100 rows" in shown and "tables/long.csv" in shown


def test_an_undefined_estimate_is_not_nought():
    assert base.interval(Estimate(None, 0, 0)) == "n/a (0)"
    assert base.count(Estimate(None, 0, 0)) == "n/a (0)"


def test_an_unknown_number_in_a_page_stops_the_build():
    with pytest.raises(InputError, match="limits.md: no number 'a/c'"):
        site.with_numbers("[[a/c]]", {"a": {"b": {"value": 1, "text": "1"}}}, "limits.md")


def test_an_unknown_number_in_the_readme_stops_publishing():
    with pytest.raises(InputError, match="no number 'a'"):
        publish.with_numbers("<!--n:a-->1<!--/n-->", {}, "README.md")


def test_the_page_of_a_run_shows_its_settings_as_text():
    shown = site.run_page({"run": "default", "parameters": {"corpus": "<b>x</b>"}, "changed": {}})
    assert "&lt;b&gt;x&lt;/b&gt;" in shown and "<b>x" not in shown
