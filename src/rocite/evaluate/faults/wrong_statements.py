"""Rules that put a whole wrong statement in the place of an answer: beside the question, a false quotation, a mosaic."""

from __future__ import annotations

import re

from rocite.evaluate.faults.base import Change, Source, replaced
from rocite.evaluate.faults.wording import conditions, main_verb
from rocite.evaluate.parts import shuffled
from rocite.text import content_words, fold, sentences

_WH = re.compile(
    r"\b(?:cat|cati|cate|cata|ce|cine|cand|unde|cum|care|cui|carui|carei|cator|who|what|when|where|which|whose|whom|how|why)\b"
)
_PLURAL_EN = "are|were|pay|need|receive|apply|hold|keep|inspect"
_MODAL = re.compile(r"(?:may|must|can|will|shall|should)$|ă$|\btrebuie$")

# --- focus ---------------------------------------------------------------------------------------------------------


def neighbour_said(source: Source) -> list[Change]:
    """A neighbouring statement stands in the place of the answer."""
    return [(source.seed.neighbour, "A neighbouring statement of the document; it does not answer the question.")]


def other_statement(source: Source) -> list[Change]:
    """A statement about something else stands in the place of the answer."""
    return [(source.seed.second, "A statement of the document about something else; it does not answer the question.")]


def echoed_question(source: Source) -> list[Change]:
    """The question comes back as a statement."""
    asked = source.seed.question.rstrip(" ?.")
    asked = asked[0].lower() + asked[1:] if asked[1:2].islower() or asked[1:2] == " " else asked
    if source.seed.lang == "en":
        answer = f"The document says the following about this question: {asked}."
    else:
        joint = "" if _WH.search(" ".join(fold(asked).split()[:4])) else "dacă "
        answer = f"Documentul arată {joint}{asked}."
    return [(answer, "It echoes the question and answers nothing.")]


# --- quotation -----------------------------------------------------------------------------------------------------


def exchanged_words(source: Source) -> list[Change]:
    """A quotation in which two content words have changed places, of the same ending where there are such."""
    text, pairs = _statement(source), []
    words = _words(text)
    for n, a in enumerate(words):
        pairs += [(a[0][-2:] != b[0][-2:], b.start() - a.end(), a, b) for b in words[n + 1 :] if a[0] != b[0]]
    if not pairs:
        return []
    *_, a, b = min(pairs, key=lambda p: p[:2])
    changed = text[: a.start()] + b[0] + text[a.end() : b.start()] + a[0] + text[b.end() :]
    return [(_quoted(source, changed), f"{a[0]!r} and {b[0]!r} changed places.")]


def replaced_word(source: Source) -> list[Change]:
    """A quotation in which one content word gives way to another content word of the document with the same ending."""
    text, there = _statement(source), [m[0] for m in _words(source.body)]
    for m in reversed(_words(text)):
        fitting = [o for o in there if o[-3:] == m[0][-3:] and o[:4] != m[0][:4] and len(o) > 4 < len(m[0]) and o not in text]
        for new in shuffled(fitting, source.seed.id)[:1]:
            return [(_quoted(source, replaced(text, m, new)), f"The document says {m[0]!r}, not {new!r}.")]
    return []


def swallowed(source: Source) -> list[Change]:
    """A quotation with an ellipsis over a negation or a condition."""
    text, found = _statement(source), []
    spans = [m.span(1) for m in re.finditer(" (nu|fără|not|without|never|cel mult|cel puțin|at most|at least) ", text)]
    for start, end in [*spans, *conditions(text, source.seed.lang)]:
        before, after = text[:start].rstrip(" ,"), text[end:].lstrip(" ,").rstrip(".")
        if len(text[:start].split()) > 1:
            found.append((_quoted(source, f"{before} [...] {after}"), f"The ellipsis swallows {text[start:end].strip(' ,')!r}."))
    return found


def quoted_paraphrase(source: Source) -> list[Change]:
    """The answer in quotation marks, where the document says it in other words."""
    first = sentences(source.seed.answer)[0]
    if _says(source, first):
        return []
    return [(_quoted(source, first), "The document says this in other words; it is no quotation.")]


def _says(source: Source, sentence: str) -> bool:
    return fold(sentence.rstrip(".")) in fold(source.body)


def _statement(source: Source) -> str:
    """The answer's first sentence where the document has it in these words, else the document's nearest statement."""
    first, words = sentences(source.seed.answer)[0], set(content_words(source.seed.answer))
    if _says(source, first):
        return first
    return max(sentences(source.body), key=lambda s: len(words & set(content_words(s))) / len(words | set(content_words(s))))


def _quoted(source: Source, text: str) -> str:
    text = text.strip().rstrip(".")
    return f"Documentul prevede: „{text}”." if source.seed.lang == "ro" else f'The document says: "{text}".'


def _words(text: str) -> list[re.Match]:
    """The content words of `text` where they stand, without its first word."""
    return [m for m in re.finditer(r"(?<![\w-])[a-zăâîșț]{4,}(?![\w-])", text) if m.start() and content_words(m[0])]


# --- evidence ------------------------------------------------------------------------------------------------------


def mosaic(source: Source) -> list[Change]:
    """Half of the answer and half of another statement of the document in one sentence, either way round."""
    lang, found, why = source.seed.lang, [], "Two statements of the document are joined into one that it does not make."
    own = _halves(sentences(source.seed.answer)[0], lang)
    for other in (source.seed.second, source.seed.neighbour):
        theirs = _halves(sentences(other)[0], lang)
        for way in ("verb", "joint"):
            if way in own and way in theirs and not {fold(h) for h in own[way][:2]} & {fold(h) for h in theirs[way][:2]}:
                for (head, _, n), (_, tail, m) in ((own[way], theirs[way]), (theirs[way], own[way])):
                    if m in ("either", n) and (way == "joint" or _fit(head, tail, lang)):
                        found.append((f"{head}{'' if tail[0] in ',;' else ' '}{tail.strip()}.", why))
    turn = source.turn % max(len(found), 1)
    return found[turn:] + found[:turn]


def _halves(statement: str, lang: str) -> dict[str, tuple[str, str, str]]:
    """`statement` in two, with the number of its verb: before the verb, and before a comma or conjunction."""
    text, found = statement.strip().rstrip("."), {}
    if verb := main_verb(text, lang):
        subject = text[: verb.start()].rstrip()
        found["verb"] = (subject, text[verb.start() :], _number_of(subject, verb[0], lang))
    joint = re.search(r"(?:, (?:iar|dar|și|dacă|cu|ci|apoi|but|and|unless|if|except)\b|; | (?:dacă|numai|doar|if|only|unless)\b)", text)
    if joint:
        found["joint"] = (text[: joint.start()], text[joint.start() :], "either")
    return {way: half for way, half in found.items() if len(half[0]) > 3 and len(half[1].split()) >= 3}


def _number_of(subject: str, verb: str, lang: str) -> str:
    """Whether subject and verb stand in the singular or the plural, "either" where the verb does not tell."""
    if _MODAL.search(verb):
        return "either"
    first = subject.split()[0]
    if lang == "en":
        return "plural" if re.fullmatch(_PLURAL_EN, verb) else "singular"
    return "plural" if first.endswith(("ile", "ele", "ii")) or re.search(r"(?:sunt|au|pot|[^aeiouăâî])$", verb) else "singular"


def _fit(subject: str, predicate: str, lang: str) -> bool:
    """Whether a predicate may stand behind a subject: a participle behind "este" of its gender, no pronoun for another object."""
    participle = re.match(r"(?:\w+ )?(?:este|fi) \w+[tsă]\b", predicate)
    object_before = re.match(r"(?:îl|le|o|îi|i) ", predicate)
    return lang == "en" or (not object_before and (not participle or participle[0].endswith("ă") is subject.split()[0].endswith("a")))
