"""The prompt: numbered fragment sentences, a question in Romanian, an answer that copies and cites.

The wording, the examples and the stop rules were chosen on the questions of ``data/questions/prompt_dev.csv``,
none of which is one of the end-to-end cases; ``data/recorded/prompt-choice.csv`` has what every variant did.
The examples are about invented other subjects. Every sentence carries the number of its fragment, and the answer
begins with an opening bracket, because a small model copies a number that stands beside what it copies.
"""

from __future__ import annotations

from collections.abc import Sequence

from rocite.gates.base import Fragment
from rocite.generate import Request
from rocite.text import sentences

OPENING = "["  # the first character of every grounded answer; the model goes on from there
STOP = ("\n\n", "\nÎntrebare:", "\nFragmente:")
_INSTRUCTION = (
    "Copiază, fără schimbări, propoziția din fragmente care răspunde la întrebare. "
    "Dacă nicio propoziție nu răspunde, scrie NU_STIU."
)  # fmt: skip
# Fragments, question, answer. A fragment here is one sentence or two.
_EXAMPLES = (
    (
        ("Vestiarele se încuie cu o monedă.", "Abonamentul lunar se plătește la casierie.", "La intrarea în bazin se prezintă casca de înot și prosopul."),
        "Ce trebuie prezentat la intrarea în bazin?",
        "[3] La intrarea în bazin se prezintă casca de înot și prosopul.",
    ),
    (
        ("Biblioteca este deschisă de luni până vineri.", "În sala de lectură se intră fără bagaje.", "Cititorul poate împrumuta cel mult patru cărți."),
        "Cât costă un bilet la teatru?",
        "[0] NU_STIU",
    ),
    (
        (
            "Biletul întreg costă 20 de lei. Elevii plătesc jumătate din preț.",
            "Muzeul este deschis de marți până duminică.",
            "Hainele groase se lasă la garderobă.",
        ),
        "Cât costă biletul și când este deschis muzeul?",
        "[1] Biletul întreg costă 20 de lei.\n[2] Muzeul este deschis de marți până duminică.",
    ),
    (
        ("Hainele groase se lasă la garderobă.", "Elevii plătesc jumătate din preț la muzeu.", "Folosirea trepiedului nu este permisă."),
        "Cat platesc elevii la muzeu?",
        "[2] Elevii plătesc jumătate din preț la muzeu.",
    ),
    (
        ("Folosirea trepiedului nu este permisă în muzeu.", "Elevii plătesc jumătate din preț.", "Hainele groase se lasă la garderobă."),
        "Pot folosi trepiedul la muzeu?",
        "[1] Folosirea trepiedului nu este permisă în muzeu.",
    ),
)  # fmt: skip


def grounded(question: str, fragments: Sequence[Fragment]) -> Request:
    """Return the request that asks `question` over `fragments`, numbered from 1 in the order given."""
    return Request(question, tuple(fragments), f"{HEAD}{_block(question, [f.text for f in fragments])}{OPENING}", STOP, OPENING)


def ungrounded(question: str) -> Request:
    """Return the request that asks `question` with no fragment at all."""
    return Request(question, (), f"Întrebare: {question}\nRăspuns:", ("\n",))


def _block(question: str, texts: Sequence[str]) -> str:
    lines = [f"[{number}] {sentence}" for number, text in enumerate(texts, start=1) for sentence in sentences(text)]
    return "Fragmente:\n" + "\n".join(lines) + f"\nÎntrebare: {_one_line(question)}\nRăspuns: "


def _one_line(text: str) -> str:
    """A question on one line: a line break in it must not look like the prompt's own lines."""
    return " ".join(text.split())


HEAD = "".join(f"{part}\n\n" for part in (_INSTRUCTION, *(f"{_block(asked, texts)}{answer}" for texts, asked, answer in _EXAMPLES)))
"""The part of every grounded prompt that is the same: instruction and examples."""
