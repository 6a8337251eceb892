"""Stress items, seeds and pairs: what is refused, how they are laid out, and that a rule changes one thing."""

import difflib
import json
import re

import pytest

from rocite import corpus
from rocite.citations import read
from rocite.errors import InputError
from rocite.evaluate import faults, stress
from rocite.evaluate.faults import base, variants, wrong_parts, wrong_statements
from rocite.text import fold
from rocite.workflow import stress as command

RO_BODY = (
    "Casierul eliberează chitanța în cel mult 15 zile, dar nu fără acordul directorului. Registrul RC-1 se păstrează 20 de luni.\n"
    "Plata mai mare de 900 de lei se face înainte de 15 martie, numai prin virament. Arhivarul predă registrul RC-2 în 40 de zile."
)
ITEM = {
    "id": "one",
    "kind": "quantity",
    "fault": True,
    "lang": "ro",
    "corpus": "house",
    "doc": "cash-r2",
    "others": ["keys", "rooms"],
    "question": "În cât timp?",
    "answer": "În 20 de zile.",
    "why": "It is 15 days.",
}
SEED = stress.Seed(
    id="s-1",
    lang="ro",
    corpus="house",
    doc="cash-r2",
    others=("keys", "rooms"),
    question="În cât timp eliberează casierul chitanța?",
    answer="Casierul eliberează chitanța în cel mult 15 zile, dar nu fără acordul directorului.",
    neighbour="Registrul RC-1 se păstrează 20 de luni.",
    second="Arhivarul predă registrul RC-2 în 40 de zile.",
    swap=("Casierul", "Arhivarul"),
    synonym=("eliberează", "dă"),
    inflected="Chitanța este eliberată de casier în cel mult 15 zile, dar nu fără acordul directorului.",
    reordered="În cel mult 15 zile, dar nu fără acordul directorului, casierul eliberează chitanța.",
    short="cel mult 15 zile",
)


def made(answer: str, lang: str = "ro", **fields) -> base.Source:
    """The seed with another answer, in its surroundings."""
    return base.Source(stress.Seed(**{**vars(SEED), "answer": answer, "lang": lang, **fields}), RO_BODY)


@pytest.fixture
def corpora():
    documents = [corpus.Document(id=i, title=i, body=RO_BODY) for i in ("cash-r2", "keys", "rooms", "desk")]
    return {"house": corpus.Corpus(tuple(documents), "house")}


@pytest.fixture
def loaded(tmp_path, corpora):
    """Writes records into a file and loads it as stress items."""

    def load(*records, name="hand-ro-test.jsonl"):
        path = tmp_path / name
        path.write_text("\n".join(json.dumps(r, ensure_ascii=False) for r in records) + "\n", encoding="utf-8")
        return stress.load(path, corpora)

    return load


# --- reading -------------------------------------------------------------------------------------------------------


def test_an_item_is_read_and_written_back(loaded):
    [item] = loaded(ITEM)
    assert (item.origin, item.seed, item.others) == ("hand", "", ("keys", "rooms"))
    assert item.record() == {**ITEM, "origin": "hand"}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"kind": "quantitty"}, "unknown kind 'quantitty'; known: quantity"),
        ({"fault": False}, "kind 'quantity' has fault true; found False"),
        ({"kind": "list"}, "kind 'list' has fault false; found True"),
        ({"doc": "nowhere"}, "no document 'nowhere' in corpus 'house'"),
        ({"others": ["keys", "nowhere"]}, "no document 'nowhere'"),
        ({"others": ["keys", "cash-r2"]}, "stands among the others too"),
        ({"others": "keys"}, "expected a list of texts"),
        ({"corpus": "garden"}, "unknown corpus 'garden'; known: house"),
        ({"answer": " "}, "'answer' is empty"),
        ({"answer": 5}, "'answer' is empty or no text"),
        ({"lang": "de"}, "unknown language 'de'"),
        ({"origin": "dream"}, "unknown origin 'dream'"),
        ({"extra": 1}, "unknown extra"),
        ({"id": "one"}, "already that of line 1"),
    ],
)
def test_a_line_that_cannot_be_used_is_named_with_file_and_line(loaded, change, says):
    with pytest.raises(InputError) as error:
        loaded(ITEM, {**ITEM, "id": "two", **change})
    assert "hand-ro-test.jsonl, line 2: " in str(error.value)
    assert says in str(error.value)


def test_a_missing_field_is_named(loaded):
    with pytest.raises(InputError, match="line 1: lacks why"):
        loaded({k: v for k, v in ITEM.items() if k != "why"})


def test_only_files_by_hand_may_leave_the_origin_out(loaded):
    with pytest.raises(InputError, match="line 1: 'origin' is missing"):
        loaded(ITEM, name="rules-ro.jsonl")
    [item] = loaded({**ITEM, "origin": "rule", "seed": "s-1"}, name="rules-ro.jsonl")
    assert (item.origin, item.seed) == ("rule", "s-1")


def test_a_seed_on_an_untouched_document_or_with_a_swap_that_is_not_there_is_refused(tmp_path, corpora):
    record = {k: list(v) if k == "others" else v for k, v in vars(SEED).items()}
    untouched = next(d for d in corpora["house"].ids if stress.part(d) == "untouched")
    tuning = next(d for d in corpora["house"].ids if stress.part(d) == "tuning")
    others = [d for d in corpora["house"].ids if d not in (untouched, tuning)]
    swap, synonym = {"from": "Casierul", "to": "Arhivarul"}, {"from": "eliberează", "to": "dă"}
    path = tmp_path / "seeds-ro.jsonl"

    def load(**change):
        line = {**record, "swap": swap, "synonym": synonym, "doc": tuning, "others": others, **change}
        path.write_text(json.dumps(line) + "\n", encoding="utf-8")
        return stress.load_seeds(path, corpora)

    assert load()[0].swap == ("Casierul", "Arhivarul")
    assert load(swap=None)[0].swap is None
    with pytest.raises(InputError, match="line 1: .* belongs to the untouched part"):
        load(doc=untouched)
    with pytest.raises(InputError, match="line 1: 'swap' needs 'from', which stands in the answer"):
        load(swap={"from": "Portarul", "to": "Arhivarul"})


def test_all_revisions_of_a_document_are_one_family_in_one_part():
    assert stress.family("cash-r2") == stress.family("cash-r11") == stress.family("cash") == "cash"
    assert stress.family("p-r2-d2") == "p-r2-d2"
    assert {stress.part(f"cash{end}") for end in ("", "-r1", "-r2")} == {stress.part("cash")}
    assert {stress.part(name) for name in "abcdefgh"} == set(stress.PARTS)


def test_every_committed_stress_file_loads(root):
    corpora = stress.load_corpora(root / "corpus")
    folder = root / "data" / "stress"
    seen = {}
    for path in sorted(folder.glob("*.jsonl")):
        if path.name.startswith("seeds-"):
            records = stress.load_seeds(path, corpora)
        elif path.name.startswith("pairs"):
            records = stress.load_pairs(path)
        else:
            records = stress.load(path, corpora)
        assert records, path.name
        for record in records:
            assert seen.setdefault(record.id, path.name) == path.name, f"{record.id} stands in two files"


# --- laying out ----------------------------------------------------------------------------------------------------


def test_the_answer_cites_its_document_by_its_number_in_an_order_that_the_id_decides(loaded, corpora):
    orders = set()
    for number in range(12):
        [item] = loaded({**ITEM, "id": f"item-{number}"})
        question, fragments, answer = stress.laid_out(item, corpora)
        ids = [f.id for f in fragments]
        assert question == ITEM["question"]
        assert sorted(ids) == ["cash-r2", "keys", "rooms"]
        assert answer == f"{ITEM['answer']}\nSURSE: {ids.index('cash-r2') + 1}"
        assert read(answer, ids).cited == ("cash-r2",)
        assert stress.laid_out(item, corpora) == (question, fragments, answer)
        orders.add(tuple(ids))
    assert len(orders) > 1


def test_what_is_cited_too_is_numbered_too(loaded, corpora):
    [item] = loaded({**ITEM, "lang": "en", "also_cited": ["keys"], "others": ["keys", "rooms"]})
    _, fragments, answer = stress.laid_out(item, corpora)
    assert re.search(r"\nSOURCES: \d, \d$", answer)
    assert set(read(answer, [f.id for f in fragments]).cited) == {"cash-r2", "keys"}
    assert len(fragments) == 3


@pytest.fixture
def pairs(tmp_path):
    def record(n, lang="ro"):
        return {
            "id": f"pair-{n}",
            "lang": lang,
            "subject": f"subject {n}",
            "part": "tuning",
            "title": f"Title {n}",
            "statements": [f"First of {n}.", f"Deciding of {n}.", f"Third of {n}."],
            "deciding": 1,
            "question": "Which?",
            "right": f"Deciding of {n}.",
            "neighbour": f"Third of {n}.",
            "why": "Another thing.",
        }

    def load(**change):
        path = tmp_path / "pairs.jsonl"
        records = [{**record(0), **change}, *(record(n) for n in range(1, 5)), record(9, "en")]
        path.write_text("\n".join(json.dumps(r) for r in records), encoding="utf-8")
        return stress.load_pairs(path)

    return load


def test_a_pair_is_one_text_with_and_without_its_deciding_statement(pairs):
    found = pairs(subject="subject 1")
    whole, less = found[0].cases(found)
    ids = [f.id for f in whole[1]]
    own = ids.index("pair-0")
    assert whole[1][own].text == "First of 0.\nDeciding of 0.\nThird of 0."
    assert less[1][own].text == "First of 0.\nThird of 0."
    assert (whole[2], less[2]) == (f"Deciding of 0.\nSURSE: {own + 1}", f"Third of 0.\nSURSE: {own + 1}")
    assert [f for f in whole[1] if f.id != "pair-0"] == [f for f in less[1] if f.id != "pair-0"]
    assert len(ids) == 3
    assert not {"pair-1", "pair-9"} & set(ids), "another text of the same subject or of another language stands beside it"
    assert (found[0].family, found[0].cases(found)) == ("Title 0", (whole, less))


@pytest.mark.parametrize(
    ("change", "says"),
    [({"part": "training"}, "unknown part"), ({"deciding": 3}, "position among 3 statements"), ({"deciding": True}, "whole number")],
)
def test_a_pair_that_cannot_be_used_is_refused(pairs, change, says):
    with pytest.raises(InputError, match=f"pairs.jsonl, line 1: .*{says}"):
        pairs(**change)


# --- the rules -----------------------------------------------------------------------------------------------------


def spans(before: str, after: str) -> int:
    """How many stretches of words differ; stretches with at most one equal word between them count as one."""
    a, b = before.split(), after.split()
    codes = [c for c in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes() if c[0] != "equal"]
    return sum(n == 0 or code[1] - codes[n - 1][2] > 1 for n, code in enumerate(codes))


CHANGED = ("quantity", "polarity", "direction", "qualifier", "entity", "synonyms", "number_words")


@pytest.mark.parametrize("kind", CHANGED)
def test_a_rule_changes_one_stretch_of_the_answer(kind):
    source = base.Source(SEED, RO_BODY, codes=("RC-1", "RC-2"))
    found = [change for rule in faults.RULES[kind] for change in rule(source)]
    assert found
    for answer, why in found:
        assert answer != SEED.answer and why.endswith(".")
        assert spans(fold(SEED.answer), fold(answer)) == 1, (answer, why)


@pytest.mark.parametrize(
    ("rule", "answer", "lang", "expected"),
    [
        (wrong_parts.another_number, "Termenul este de 15 zile.", "ro", "Termenul este de 40 de zile."),
        (wrong_parts.another_unit, "Termenul este de 15 zile.", "ro", "Termenul este de 15 luni."),
        (wrong_parts.another_unit, "The term is 15 days.", "en", "The term is 15 months."),
        (wrong_parts.swapped_numbers, "Întâi 5 zile, apoi 30 de zile.", "ro", "Întâi 30 de zile, apoi 5 zile."),
        (wrong_parts.shifted_time, "Se închide la 14:30.", "ro", "Se închide la 16:30."),
        (wrong_parts.another_number_word, "Se plătesc două taxe.", "ro", "Se plătesc patru taxe."),
        (wrong_parts.dropped_not, "Taxa nu se restituie.", "ro", "Taxa se restituie."),
        (wrong_parts.dropped_not, "The fee is not returned.", "en", "The fee is returned."),
        (wrong_parts.inserted_not, "Dacă plouă, taxa se restituie.", "ro", "Dacă plouă, taxa nu se restituie."),
        (wrong_parts.inserted_not, "The fee applies to all.", "en", "The fee does not apply to all."),
        (wrong_parts.dropped_condition, "Dacă plouă, sala este închisă astăzi.", "ro", "Sala este închisă astăzi."),
        (wrong_parts.dropped_condition, "The hall is open only with the consent of the warden.", "en", "The hall is open."),
        (wrong_parts.widened_condition, "Sala este deschisă numai cu acordul paznicului.", "ro", "Sala este deschisă în orice situație."),
        (wrong_statements.echoed_question, SEED.answer, "ro", "Documentul arată în cât timp eliberează casierul chitanța."),
        (variants.digits_in_words, "Termenul este de 32 de zile.", "ro", "Termenul este de treizeci și două de zile."),
        (variants.digits_in_words, "Taxa este de 1.500 lei.", "ro", "Taxa este de o mie cinci sute de lei."),
        (variants.digits_in_words, "Cota este de 5 %.", "ro", "Cota este de cinci la sută."),
        (variants.digits_in_words, "The term is 45 days.", "en", "The term is forty-five days."),
        (variants.words_in_digits, "Termenul este de douăzeci și două de zile.", "ro", "Termenul este de 22 de zile."),
        (variants.percent_form, "Cota este de 25 %.", "ro", "Cota este de 25 la sută."),
        (variants.date_form, "Se plătește la 15 martie 2026.", "ro", "Se plătește la 15.03.2026."),
        (variants.bullets, "Taxa este de 5 lei. Se achită la ghișeu.", "ro", "- Taxa este de 5 lei.\n- Se achită la ghișeu."),
    ],
)
def test_a_rule_writes_what_its_name_says(rule, answer, lang, expected):
    assert expected in [changed for changed, _ in rule(made(answer, lang))]


@pytest.mark.parametrize(
    ("name", "answer", "lang", "expected"),
    [
        ("polarity", "Accesul este interzis.", "ro", "Accesul este permis."),
        ("polarity", "Pupils are exempt from the fee.", "en", "Pupils are liable for the fee."),
        ("direction", "Cel mult 5 zile.", "ro", "Cel puțin 5 zile."),
        ("direction", "Se primesc colete peste 20 kg.", "ro", "Se primesc colete sub 20 kg."),
        ("direction", "The gate opens before noon.", "en", "The gate opens after noon."),
        ("bound", "Durează cel mult 5 zile.", "ro", "Durează 5 zile."),
        ("widened", "Termenul poate fi prelungit.", "ro", "Termenul trebuie să fie prelungit."),
        ("frequency", "Se face de două ori pe an.", "ro", "Se face de trei ori pe an."),
    ],
)
def test_a_table_swaps_whole_phrases(name, answer, lang, expected):
    assert expected in [changed for changed, _ in base.table_rule(name)(made(answer, lang))]


def test_a_number_word_behind_is_asked_for_where_a_word_has_other_meanings():
    assert base.table_rule("direction")(made("Se predă sub semnătură.")) == []


def test_references_codes_and_dates_are_no_numbers_to_change():
    assert wrong_parts.scaled_number(made("Potrivit art. 7 alin. (2), registrul RC-01 se predă la 15 martie 2026.")) == []


def test_quotations_stand_in_the_quotation_marks_of_their_language_and_are_not_in_the_document():
    for rule in faults.RULES["quotation"]:
        for answer, _ in rule(base.Source(SEED, RO_BODY)):
            [quoted] = re.fullmatch("Documentul prevede: „(.*)”\\.", answer).groups()
            assert quoted not in RO_BODY
    english = made("The cashier signs the receipt within ten days.", "en")
    assert all(re.fullmatch('The document says: ".*"\\.', answer) for answer, _ in wrong_statements.quoted_paraphrase(english))


def test_a_mosaic_takes_its_halves_from_two_statements():
    answers = [answer for answer, _ in wrong_statements.mosaic(base.Source(SEED, RO_BODY))]
    assert {"Casierul predă registrul RC-2 în 40 de zile.", "Casierul se păstrează 20 de luni."} <= set(answers)
    assert not {SEED.answer, SEED.neighbour, SEED.second} & set(answers)


def test_the_candidates_are_the_same_every_time_and_carry_their_seed(corpora):
    items = faults.generate([SEED], corpora)
    assert items == faults.generate([SEED], corpora)
    assert len({item.id for item in items}) == len(items)
    for item in items:
        assert re.fullmatch(f"rule-s-1-{item.kind}-[1-9]", item.id)
        assert (item.origin, item.seed, item.fault) == ("rule", "s-1", item.kind in stress.FAULTS)
        assert item.answer != SEED.answer
    assert {item.kind for item in items} >= {*CHANGED, "focus", "quotation", "inflected", "reordered", "shortened", "spelling", "list"}


def test_the_command_writes_candidates_that_load_again(root, tmp_path, capsys):
    out, again = tmp_path / "rules.jsonl", tmp_path / "again.jsonl"
    assert command.main([str(out)]) == command.main([str(again)]) == 0
    assert out.read_bytes() == again.read_bytes()
    items = stress.load(out, stress.load_corpora(root / "corpus"))
    assert {stress.part(item.doc) for item in items} == {"tuning"}
    assert {item.kind for item in items} == set(stress.KINDS)
    assert "quantity" in capsys.readouterr().out


def test_the_command_says_where_seeds_are_missing(tmp_path):
    with pytest.raises(InputError, match="no seeds-.*jsonl here; nothing was written"):
        command.candidates(tmp_path)
