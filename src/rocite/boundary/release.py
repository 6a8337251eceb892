"""From admitted evidence to a candidate, and from a candidate to a release: what the generator sees and what it is held against.

The generator sees the admitted statements and nothing else of the documents. The check sees the whole of every document in
the context, so that a statement that answers better than the admitted one counts against the candidate. A check that runs
out of time or breaks is tried once more, and then counts as no approval; nothing is generated a second time.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import replace

from rocite import check
from rocite.boundary.evidence import cells_of
from rocite.boundary.found import Examination
from rocite.boundary.routes import FAILURE, TIMEOUT
from rocite.check import Judgement
from rocite.corpus import Corpus
from rocite.gates.base import Fragment, Settings
from rocite.generate.copying import copied

TRIES = 2  # one bounded retry


def admitted(found: Examination) -> dict[str, tuple[str, ...]]:
    """Return the admitted statements of each document, in the order in which they were picked."""
    kept: dict[str, tuple[str, ...]] = {}
    for pick in found.picks:
        kept[pick.document] = (*kept.get(pick.document, ()), readable(pick.text))
    return kept


def shown_to_generator(found: Examination, corpus: Corpus) -> tuple[Fragment, ...]:
    """Return one fragment for each document with admitted statements, holding those alone, numbered in that order."""
    return tuple(
        Fragment(name, "\n".join(texts), corpus[name].title, lang=corpus[name].lang or None) for name, texts in admitted(found).items()
    )


def fragments(found: Examination, corpus: Corpus, similarity: Mapping[str, float] | None = None) -> tuple[Fragment, ...]:
    """Return the whole documents of the context, those with admitted statements first and in their order, so that numbers agree.

    With `similarity` each has its own; the retrieval gate is unchecked without.
    """
    names = dict.fromkeys((*admitted(found), *found.context))
    return tuple(check.fragment(corpus[name], similarity[name] if similarity else None) for name in names)


def candidate(found: Examination, corpus: Corpus) -> str:
    """Return the candidate that copies the admitted statements, with its sources line."""
    return copied(shown_to_generator(found, corpus))


def readable(text: str) -> str:
    """Return a statement as a sentence: a row of a table names its columns.

    >>> readable("| Greutatea | La oficiu | | peste 2 kg | 23,40 lei |")
    'Greutatea – peste 2 kg, La oficiu – 23,40 lei.'
    >>> readable("Este gratuit.")
    'Este gratuit.'
    """
    cells = cells_of(text)
    return ", ".join(f"{head} – {cell}" if head else cell for head, cell in cells) + "." if cells else text


def settings_for(found: Examination, corpus: Corpus, settings: Settings) -> Settings:
    """Return the settings of the check: focus compares words of question and source, so that it is off where their languages differ."""
    languages = {corpus[p.document].lang for p in found.picks} - {""}
    if not languages or found.request.lang in languages:
        return settings
    off = [n for n in settings.without.split(",") if n.strip() and n.strip() != check.NOTHING]
    return replace(settings, without=",".join(dict.fromkeys([*off, "focus"])))


def checked(judge: Callable[[], Judgement], seconds: float) -> tuple[Judgement | None, str]:
    """Return the judgement, or None and the reason for which there is none, after at most one more try.

    `seconds` bounds each try. A try that goes on is left behind; its result counts for nothing.
    """
    reason = FAILURE
    for _ in range(TRIES):
        found: list[Judgement] = []
        broken: list[BaseException] = []

        def run(found=found, broken=broken) -> None:
            try:
                found.append(judge())
            except BaseException as error:  # whatever it is, it is no approval
                broken.append(error)

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        thread.join(seconds)
        if found and not thread.is_alive():
            return found[0], ""
        reason = FAILURE if broken else TIMEOUT
    return None, reason
