"""Rules that make wrong answers and faithful variants out of truthful seeds: one change each, in Romanian and English.

Decides nothing about an answer: what the rules propose are candidates, and a person reads each before anything is
measured with it. The rules of a kind take turns, so that none fills its kind alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import zip_longest

from rocite.corpus import Corpus
from rocite.evaluate.faults import variants, wrong_parts, wrong_statements
from rocite.evaluate.faults.base import CODE, Change, Rule, Source, table_rule
from rocite.evaluate.parts import shuffled
from rocite.evaluate.stress import FAULTS, Item, Seed
from rocite.text import fold, sentences

RULES: dict[str, tuple[Rule, ...]] = {
    "quantity": (
        wrong_parts.another_number,
        wrong_parts.another_unit,
        wrong_parts.scaled_number,
        table_rule("frequency"),
        wrong_parts.swapped_numbers,
        wrong_parts.shifted_time,
        wrong_parts.neighbours_number,
        wrong_parts.another_number_word,
    ),
    "polarity": (wrong_parts.dropped_not, table_rule("polarity"), wrong_parts.inserted_not),
    "direction": (table_rule("direction"),),
    "qualifier": (wrong_parts.dropped_condition, table_rule("bound"), wrong_parts.widened_condition, table_rule("widened")),
    "entity": (wrong_parts.swapped_name, wrong_parts.another_code, wrong_parts.borrowed_name),
    "focus": (wrong_statements.neighbour_said, wrong_statements.echoed_question, wrong_statements.other_statement),
    "quotation": (
        wrong_statements.exchanged_words,
        wrong_statements.swallowed,
        wrong_statements.replaced_word,
        wrong_statements.quoted_paraphrase,
    ),
    "evidence": (wrong_statements.mosaic,),
    "inflected": (variants.inflected,),
    "reordered": (variants.reordered,),
    "shortened": (variants.shortened,),
    "spelling": variants.SPELLINGS,
    "number_words": (variants.digits_in_words, variants.words_in_digits, variants.date_form, variants.percent_form),
    "synonyms": (variants.own_synonym, variants.borrowed_synonym),
    "list": (variants.bullets,),
}
LIMITS = {  # of a kind from one seed, else 1
    "quantity": 2,
    "polarity": 2,
    "direction": 3,
    "qualifier": 2,
    "entity": 2,
    "evidence": 2,
    "number_words": 2,
}


def generate(seeds: Iterable[Seed], corpora: Mapping[str, Corpus]) -> list[Item]:
    """Return the candidates that the rules make of `seeds`, in the order of the seeds and kinds.

    Ids read ``rule-<seed>-<kind>-<n>``; the same seeds and corpora always give the same candidates. At most `LIMITS`
    of a kind come from one seed; which rule goes first turns with the seed's id.
    """
    seeds, made = list(seeds), []
    for seed in seeds:
        near = [s for s in seeds if (s.corpus, s.lang) == (seed.corpus, seed.lang)]
        swaps = {pair: None for s in near if s.swap for pair in (s.swap, s.swap[::-1])}
        synonyms = {s.synonym: None for s in near if s.synonym}
        codes = {c: None for d in corpora[seed.corpus].documents for c in re.findall(CODE, d.body)}
        source = Source(seed, corpora[seed.corpus][seed.doc].body, tuple(swaps), tuple(synonyms), tuple(codes))
        for kind in RULES:
            for n, (answer, why) in enumerate(_chosen(source, kind), start=1):
                item = Item(
                    id=f"rule-{seed.id}-{kind}-{n}",
                    kind=kind,
                    fault=kind in FAULTS,
                    lang=seed.lang,
                    corpus=seed.corpus,
                    doc=seed.doc,
                    others=seed.others,
                    question=seed.question,
                    answer=answer,
                    why=why,
                    origin="rule",
                    seed=seed.id,
                )
                made.append(item)
    return made


def _chosen(source: Source, kind: str) -> list[Change]:
    """The first changes of the kind's rules in turn, none of them twice and none equal to the answer."""
    rules = RULES[kind]
    order = shuffled([str(n) for n in range(len(rules))], source.seed.id + kind)
    turns = zip_longest(*(rules[int(n)](source) for n in order))
    found = {answer: why for turn in turns for answer, why in reversed([c for c in turn if c]) if answer.strip()}
    found.pop(source.seed.answer, None)
    if kind in FAULTS and kind != "focus":  # what the document says elsewhere in these words is no fault of another kind
        said = {fold(s) for s in sentences(source.body)}
        found = {answer: why for answer, why in found.items() if fold(answer) not in said}
    return list(found.items())[: LIMITS.get(kind, 1)]
