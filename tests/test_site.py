"""The write-up in a real browser with the network off."""

import json
import shutil
import statistics

import browser
import pandas as pd
import pytest

from rocite.display import Table
from rocite.workflow import site as builder

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not browser.CHROMIUM, reason="no Chromium here")]
PAGES = [
    "index",
    "01_separation",
    "02_grounding",
    "03_eori",
    "04_gates",
    "05_retrieval",
    "06_answerability",
    "07_budget",
    "08_judge",
    "09_answers",
    "90_method_check",
    "assessment",
    "service",
    "method",
    "limits",
    "rerun",
    "references",
    "run",
]


@pytest.fixture(scope="module")
def folder(clone):
    return clone.folder / "build" / "default"


@pytest.fixture(scope="module")
def tab(tmp_path_factory):
    opened = browser.Browser(tmp_path_factory.mktemp("profile"))
    yield opened
    opened.close()


def address(folder, page):
    return (folder / "site" / f"{page}.html").as_uri()


@pytest.mark.parametrize("page", PAGES)
def test_a_page_asks_for_nothing_but_files_and_says_no_error(tab, folder, page):
    tab.open(address(folder, page))
    assert tab.requests and all(r.startswith(("file:", "data:")) for r in tab.requests)
    assert tab.failures == [] and tab.errors == []


@pytest.mark.parametrize("page", PAGES)
def test_nothing_but_tables_is_wider_than_a_phone(tab, folder, page):
    tab.width(390)
    tab.open(address(folder, page))
    assert tab.run("document.scrollingElement.scrollWidth") <= 390
    tab.width(1280)


def test_search_finds_a_word(tab, folder):
    tab.open(address(folder, "search") + "?q=impostor")
    for _ in range(50):
        if tab.run("document.querySelectorAll('#search-results li a').length"):
            break
        tab.run("new Promise(r => setTimeout(r, 100))")
    assert tab.run("document.querySelectorAll('#search-results li a').length") >= 2
    assert tab.errors == []


def test_the_explorer_counts_what_the_table_counts(tab, folder):
    tab.open(address(folder, "01_separation"))
    table = pd.read_csv(folder / "tables" / "gate_a.csv").set_index("embedder")
    for name, row in table.iterrows():
        tab.run(f"document.querySelector('.explorer input[value={name}]').click()")
        said = tab.run("document.querySelector('.explorer output').textContent")
        lost, asked = row["legitimate lost"].split("/")
        let_in, impostors = row["impostors let in"].split("/")
        assert f"{lost} of {asked} legitimate questions lost, {let_in} of {impostors} impostors let in" in said


def test_the_explorer_counts_anew_at_every_threshold(tab, folder):
    tab.open(address(folder, "01_separation"))
    scores = json.loads(tab.run("document.querySelector('.explorer').dataset.scores"))["e5"]
    for threshold in (scores["in"][0], scores["out"][-1], 0.0, 1.0, 0.85):
        tab.run(
            "(() => { const s = document.querySelector('.explorer input[type=range]');"
            f" s.min = 0; s.max = 1; s.value = {threshold}; s.dispatchEvent(new Event('input')); }})()"
        )
        said = tab.run("document.querySelector('.explorer output').textContent")
        lost, let_in = sum(s < threshold for s in scores["in"]), sum(s >= threshold for s in scores["out"])
        assert f" {lost} of {len(scores['in'])} legitimate questions lost, {let_in} of {len(scores['out'])}" in said


def test_the_explorer_works_with_the_keyboard(tab, folder):
    tab.open(address(folder, "01_separation"))
    tab.run("document.querySelector('.explorer input[type=range]').focus()")
    before = tab.run("document.querySelector('.explorer output').textContent")
    for _ in range(3):
        tab.press("ArrowRight")
    after = tab.run("document.querySelector('.explorer output').textContent")
    assert before != after
    tab.press("End")
    assert ", 0 of 72 impostors let in" in tab.run("document.querySelector('.explorer output').textContent")


def test_with_scripts_off_a_sentence_and_the_static_figure_stand_there(tab, folder):
    tab.call("Emulation.setScriptExecutionDisabled", value=True)
    tab.open(address(folder, "01_separation"))
    tab.call("Emulation.setScriptExecutionDisabled", value=False)
    assert "the figure above shows the same points" in tab.run("document.querySelector('.explorer').textContent")
    assert tab.run("document.querySelectorAll('figure img').length") >= 4


def test_every_figure_has_alternative_text_and_a_caption(tab, folder):
    for page in PAGES[1:4]:
        tab.open(address(folder, page))
        assert tab.run("[...document.querySelectorAll('figure img')].every(i => i.alt.length > 40 && i.naturalWidth > 100)")
        assert tab.run("[...document.querySelectorAll('figure figcaption')].every(c => c.textContent.includes('notebooks/'))")


def test_romanian_is_marked_as_romanian(tab, folder):
    tab.open(address(folder, "03_eori"))
    assert tab.run("document.documentElement.lang") == "en"
    assert "Ce înseamnă EORI?" in tab.run("[...document.querySelectorAll('[lang=ro]')].map(e => e.textContent).join('|')")


def test_code_is_folded_and_opens(tab, folder):
    tab.open(address(folder, "02_grounding"))
    assert tab.run("[...document.querySelectorAll('div.cell details')].every(d => !d.open)")
    tab.run("document.querySelector('div.cell details summary').focus()")
    tab.press("Enter")
    tab.run("document.querySelector('div.cell details summary').click()")
    assert tab.run("document.querySelectorAll('div.cell details').length") > 5


def test_a_page_names_its_run(tab, folder):
    tab.open(address(folder, "run"))
    text = tab.run("document.body.textContent")
    assert "sha256:1571fc982750" in text and "sha256:a5fd3b62230a" in text and "rocite 0.1.0" in text


def test_a_hostile_document_and_answer_show_as_text(tab, folder, clone, tmp_path):
    hostile = "<script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\"> [[separation/e5/margin]] {{x}} $x$ ```"
    copy = clone.folder / "build" / "hostile"
    shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("site", ".*"), dirs_exist_ok=True)
    path = copy / "notebooks" / "03_eori.ipynb"
    notebook = json.loads(path.read_text(encoding="utf-8"))
    shown = Table(pd.DataFrame([{"answer": hostile, "question": hostile}]), "tables/x.csv")._repr_html_()
    outputs = [o for c in notebook["cells"] if c["cell_type"] == "code" for o in c["outputs"] if "text/html" in o.get("data", {})]
    outputs[0]["data"]["text/html"] = shown
    path.write_text(json.dumps(notebook), encoding="utf-8")
    builder.build(
        clone.folder,
        "hostile",
        [page for page in PAGES if page[0].isdigit()],
    )
    tab.open((copy / "site" / "03_eori.html").as_uri())
    assert tab.run("document.title") != "taken"
    assert hostile in tab.run("document.body.textContent")
    assert tab.errors == [] and tab.failures == []
    shutil.rmtree(copy)


def test_a_warning_of_the_site_builder_is_an_error_and_keeps_the_old_site(clone, folder):
    page = clone.folder / "notebooks" / "site" / "limits.md"
    before, old = page.read_text(encoding="utf-8"), (folder / "site" / "limits.html").read_bytes()
    page.write_text(before + "\n[nowhere](nowhere.md)\n", encoding="utf-8")
    try:
        failed = clone.make("writeup")
        assert failed.returncode == 2 and "the write-up was not built" in failed.stderr and "nowhere" in failed.stderr
        assert (folder / "site" / "limits.html").read_bytes() == old
    finally:
        page.write_text(before, encoding="utf-8")
    assert clone.make("writeup").returncode == 0


def test_the_first_page_is_drawn_within_a_second_and_the_site_is_small(tab, folder):
    paints = []
    for _ in range(5):
        tab.open(address(folder, "index"))
        paints.append(
            tab.run(
                "new Promise(done => new PerformanceObserver(l => done(l.getEntries().at(-1).startTime))"
                ".observe({type: 'largest-contentful-paint', buffered: true}))"
            )
        )
    assert statistics.median(paints) < 1000, paints
    assert sum(f.stat().st_size for f in (folder / "site").rglob("*") if f.is_file()) < 10_000_000
