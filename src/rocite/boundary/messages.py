"""What the asker is told, in Romanian and English: one text for each reason that may be told.

A text is made of the reason, of what the question asks for and of the documents that the asker may see. It never holds the
text of a candidate that was withheld, and it suggests no value for an identifier that is missing.
"""

from __future__ import annotations

from rocite.boundary import routes
from rocite.boundary.release import readable
from rocite.boundary.routes import outward
from rocite.boundary.service import Response, contradicted
from rocite.language.question_focus import expected_kind

_TOLD = {
    "ro": {
        routes.IDENTIFIER: "lipsește un element de identificare: despre ce echipament, produs sau categorie este vorba? Adăugați-l la întrebare (pentru un echipament: --asset).",
        routes.MISSING: "documentele care vă sunt deschise și sunt în vigoare la această dată nu conțin {lacks}.",
        routes.STALE: "singurul document care spune acest lucru nu mai este în vigoare sau nu este încă în vigoare, iar altul în vigoare nu îl spune.",
        routes.REVISION: "întrebarea cere o ediție care nu este cea în vigoare la această dată.",
        routes.CONFLICT: "două documente în vigoare spun lucruri diferite, iar niciunul nu îl înlocuiește pe celălalt.",
        routes.UNSUPPORTED: "răspunsul scris nu este susținut de documente și a fost reținut.",
        routes.ABSTAINED: "documentele găsite nu conțin răspunsul.",
        routes.TIMEOUT: "verificarea răspunsului nu s-a terminat la timp; fără ea nu se dă niciun răspuns.",
        routes.FAILURE: "verificarea răspunsului nu a putut fi făcută; fără ea nu se dă niciun răspuns.",
    },
    "en": {
        routes.IDENTIFIER: "an identifier is missing: which equipment, product or class is meant? Add it to the question (for equipment: --asset).",
        routes.MISSING: "the documents that are open to you and in force on this date do not state {lacks}.",
        routes.STALE: "the only document that states this is not in force any more, or not yet, and none in force does.",
        routes.REVISION: "the question asks for an edition that is not the one in force on this date.",
        routes.CONFLICT: "two documents in force state different things, and neither supersedes the other.",
        routes.UNSUPPORTED: "the answer that was written is not supported by the documents and is withheld.",
        routes.ABSTAINED: "the documents that were found do not hold the answer.",
        routes.TIMEOUT: "the check of the answer did not finish in time; without it no answer is given.",
        routes.FAILURE: "the check of the answer could not be done; without it no answer is given.",
    },
}
_FAILED = {
    "ro": {
        "retrieval": "niciun document nu este destul de apropiat de întrebare",
        "citation": "răspunsul scris nu trimite la documentele găsite",
        "numbers": "răspunsul scris conține un număr care nu se află în documentele citate",
        "grounding": "răspunsul scris conține o afirmație pe care documentele citate nu o susțin",
        "quantity": "răspunsul scris conține o cantitate, o dată sau un termen care nu se potrivește cu documentul citat",
        "polarity": "răspunsul scris neagă ce documentul citat afirmă sau afirmă ce acesta neagă",
        "direction": "răspunsul scris spune contrariul documentului citat",
        "qualifier": "răspunsul scris lasă deoparte o condiție sau o limită din documentul citat",
        "entity": "răspunsul scris numește pe altcineva sau altceva decât documentul citat",
        "focus": "propoziția pe care se sprijină răspunsul scris nu răspunde la întrebare",
        "quotation": "răspunsul scris citează cuvinte care nu se află în documentul citat",
        "evidence": "răspunsul scris conține o afirmație pe care documentul citat nu o susține",
    },
    "en": {
        "retrieval": "no document is near enough to the question",
        "citation": "the answer that was written does not cite the documents found",
        "numbers": "the answer that was written holds a number that the cited documents do not have",
        "grounding": "the answer that was written holds a claim that the cited documents do not support",
        "quantity": "the answer that was written holds a quantity, date or period that does not fit the cited document",
        "polarity": "the answer that was written denies what the cited document says, or the reverse",
        "direction": "the answer that was written says the opposite of the cited document",
        "qualifier": "the answer that was written leaves out a condition or limit of the cited document",
        "entity": "the answer that was written names someone or something else than the cited document",
        "focus": "the sentence that the written answer rests on does not answer the question",
        "quotation": "the answer that was written quotes words that the cited document does not have",
        "evidence": "the answer that was written holds a claim that the cited document does not support",
    },
}
_CANNOT = {"ro": "Nu pot răspunde la această întrebare: {why}", "en": "I cannot answer this question: {why}"}
_LACKS = {
    "ro": {"number": "cifra, durata sau suma întrebată", "date": "data întrebată", "": "ceea ce se întreabă"},
    "en": {"number": "the figure, period or amount asked for", "date": "the date asked for", "": "what is asked"},
}
_NEXT = {
    "ro": {
        True: "Întrebarea a fost trimisă mai departe: {owner}.",
        False: "Întrebarea nu a putut fi trimisă mai departe; adresați-o direct: {owner}.",
    },
    "en": {True: "The question was passed on to: {owner}.", False: "The question could not be passed on; please ask directly: {owner}."},
}
_SOURCES = {"ro": "Documentele în cauză:", "en": "The documents concerned:"}
_HIGH = {
    "ro": "Document cu impact ridicat: răspunsul nu ține loc de aprobare pentru o intervenție.",
    "en": "Document of high impact: the answer is no approval to carry anything out.",
}


def told(response: Response, service_owner: str) -> str:
    """Return what the asker is told in place of an answer; "" for an answer."""
    if response.route == routes.ANSWER:
        return ""
    lang = response.request.lang
    reason = outward(response.reason)
    gate = response.judgement.gate if response.judgement is not None and reason == routes.UNSUPPORTED else None
    why = f"{failed(gate, lang)}." if gate else _TOLD[lang][reason].format(lacks=_LACKS[lang][expected_kind(response.request.question)])
    lines = [_CANNOT[lang].format(why=why)]
    if response.shown:
        lines.append(_SOURCES[lang])
        said = _said(response)
        lines += [f"  - {_named(d)}" + (f": {_QUOTED[lang].format(said[d.id])}" if d.id in said else "") for d in response.shown]
    if response.ticket is not None:
        owners = dict.fromkeys(d.field("owner") or service_owner for d in response.shown) or {service_owner: None}
        lines.append(_NEXT[lang][response.ticket].format(owner="; ".join(owners)))
    return "\n".join(lines)


def failed(gate: str, lang: str = "ro") -> str:
    """Return what it means, in words, that this gate or check failed."""
    return _FAILED[lang][gate]


def note(response: Response) -> str:
    """Return what stands under an answer that rests on a document of high impact, "" for another."""
    return _HIGH[response.request.lang] if response.route == routes.ANSWER and response.high_impact else ""


_QUOTED = {"ro": "„{}”", "en": "“{}”"}


def _said(response: Response) -> dict[str, str]:
    """What each document says where two contradict each other, by its id; a document out of force is named and not quoted."""
    if response.reason != routes.CONFLICT:
        return {}
    own = contradicted(response.examination)
    document, text = response.examination.against["rival"]
    return {own.document: readable(own.text), document: readable(text)}


def _named(document) -> str:
    edition = f" ({document.revision})" if document.revision else ""
    return f"{document.title}{edition} - {document.source}"
