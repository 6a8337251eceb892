"""``python -m rocite.workflow.judge [--begin PATH] [--model NAME]``: ask a model whether evidence carries a sentence, and record it.

Asks the embedded model, or a GGUF file, about the project's own pairs and, where a path is given, about BEGIN's, and
writes ``data/recorded/judge.json``: for each untouched pair its label, the probability and verdict of the model and the
verdict of the checks, with the manifest. No text of BEGIN is kept; without ``--begin`` the record has no human labels.

The prompt ends where a yes or a no belongs, and what is read are the probabilities of the first token: P(yes) over
P(yes) + P(no). Where the likeliest token is neither, there is no verdict. Which prompt is used, and from which
probability on a pair counts as supported, is chosen on the tuning pairs alone, the latter for each set and language; the
manifest has what every variant did.
Answers are kept in the cache, so that a recording that was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from rocite import check, params, places
from rocite.cache import Store
from rocite.errors import InputError, RociteError
from rocite.evaluate import judge, stress
from rocite.evaluate.judge import Pair, Verdict
from rocite.gates.grounding import overlap
from rocite.generate import Options
from rocite.generate.llama import LlamaCppGenerator
from rocite.manifest import manifest
from rocite.records import dumps, sha256_of, sha256_of_file, write_atomically
from rocite.text import content_words, digit_runs, sentences

FILE = "judge.json"
EACH, EACH_TUNING = 8, 3  # pairs of every kind and language
CAP, CAP_TUNING = 200, 100  # pairs of BEGIN
SHOWN = 20  # how many of the likeliest first tokens are read

LOOKS = (
    "The untouched pairs were measured twice. The first time there was one threshold a set for both languages, and the model "
    "said yes to English and no to Romanian: kappa 0.08 (-0.01 to 0.19) on the project's labels, -0.15 (-0.28 to -0.03) on "
    "BEGIN's. Since then prompt and thresholds are chosen by set and language, on the tuning pairs as before."
)

Tokens = Sequence[tuple[str, float]]  # the likeliest first tokens with their probabilities, likeliest first


# --- the prompt ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Variant:
    """One way of asking: which examples, each with its answer, and how many sentences of the evidence at most (None: all that fit)."""

    examples: tuple[tuple[int, bool], ...]
    most: int | None


_FOUR = ((0, True), (1, False), (2, False), (3, True))
_EIGHT = ((0, True), (0, False), (1, False), (1, True), (2, False), (2, True), (3, False), (3, True))
VARIANTS = {"whole": Variant(_FOUR, None), "nearest": Variant(_FOUR, 4), "contrasts": Variant(_EIGHT, 4)}

_LINES = {
    "ro": (
        "Răspunde cu da dacă textul susține afirmația și cu nu dacă nu o susține.",
        "Text",
        "Întrebare",
        "Afirmație",
        "Susținut (da/nu)",
    ),
    "en": (
        "Answer yes if the text supports the claim and no if it does not.",
        "Text",
        "Question",
        "Claim",
        "Supported (yes/no)",
    ),
}
ANSWERS = {"ro": ("da", "nu"), "en": ("yes", "no")}

# Text, question, the claim that the text supports, one that it does not: invented, of subjects that no document of the project has.
_EXAMPLES = {
    "ro": (
        (
            "Brutăria vinde pâine de secară numai vinerea, de la ora 7.",
            "Când se vinde pâine de secară?",
            "Pâinea de secară se vinde vinerea.",
            "Pâinea de secară se vinde în fiecare zi.",
        ),
        (
            "Teatrul de păpuși joacă de două ori pe săptămână. Un spectacol ține 90 de minute.",
            "Cât ține un spectacol?",
            "Spectacolul ține o oră și jumătate.",
            "Spectacolul ține 60 de minute.",
        ),
        (
            "Observatorul primește vizitatori doar pe cer senin.",
            "Se intră la observator și pe ploaie?",
            "Nu, observatorul primește vizitatori numai pe cer senin.",
            "Da, observatorul primește vizitatori și pe ploaie.",
        ),
        (
            "Apicultorul scoate mierea la sfârșitul lui iulie, înainte de mutarea stupilor.",
            "Cine scoate mierea?",
            "Mierea este scoasă de apicultor.",
            "Mierea este scoasă de morar.",
        ),
    ),
    "en": (
        (
            "The bakery sells rye bread only on Fridays, from 7 o'clock.",
            "When is rye bread sold?",
            "Rye bread is sold on Fridays.",
            "Rye bread is sold every day.",
        ),
        (
            "The puppet theatre plays twice a week. A play lasts 90 minutes.",
            "How long is a play?",
            "A play lasts an hour and a half.",
            "A play lasts 60 minutes.",
        ),
        (
            "The observatory receives visitors only under a clear sky.",
            "Is the observatory open when it rains?",
            "No, it receives visitors only under a clear sky.",
            "Yes, it receives visitors when it rains too.",
        ),
        (
            "The beekeeper takes the honey at the end of July, before the hives are moved.",
            "Who takes the honey?",
            "The honey is taken by the beekeeper.",
            "The honey is taken by the miller.",
        ),
    ),
}


def head(variant: Variant, lang: str, asked: bool) -> str:
    """Return the part of the prompt that is the same for all pairs of a language, with or without questions."""
    blocks = []
    for number, ok in variant.examples:
        text, question, right, wrong = _EXAMPLES[lang][number]
        answer = ANSWERS[lang][0 if ok else 1]
        blocks.append(f"{_block(lang, text, question if asked else '', right if ok else wrong)} {answer}")
    return "".join(f"{part}\n\n" for part in (_LINES[lang][0], *blocks))


def _block(lang: str, text: str, question: str, claim: str) -> str:
    _, *names, last = _LINES[lang]
    named = zip(names, (text, question, claim), strict=True)
    return "".join(f"{name}: {' '.join(said.split())}\n" for name, said in named if said) + f"{last}:"


def prompt(variant: Variant, pair: Pair, most: int | None = None) -> str:
    """Return what is asked about `pair`, with at most `most` sentences of its evidence (None: as the variant has it)."""
    limit = min((n for n in (most, variant.most) if n is not None), default=None)
    text = pair.evidence if limit is None else nearest(pair.evidence, pair.sentence, limit)
    titled = f"{pair.title}. {text}" if pair.title else text
    return head(variant, pair.lang, bool(pair.question)) + _block(pair.lang, titled, pair.question, pair.sentence)


def nearest(evidence: str, sentence: str, most: int) -> str:
    """Return the `most` sentences of `evidence` that hold most of the words and numbers of `sentence`, in the order of the evidence.

    >>> nearest("Rye bread is dear. Honey is taken in July. The choir sings.", "Who takes honey in July?", 1)
    'Honey is taken in July.'
    """
    found, words = sentences(evidence), _words_of(sentence)
    held = [overlap(words, _words_of(s), 6) if words else 0.0 for s in found]
    chosen = sorted(range(len(found)), key=lambda n: (-round(held[n], 6), n))[:most]
    return " ".join(found[n] for n in sorted(chosen))


def _words_of(text: str) -> list[str]:
    return [*content_words(text), *digit_runs(text)]


def prompts_digest() -> str:
    """Return the hash of every prompt's beginning, of all variants; a recording belongs to the prompts that have it."""
    heads = [head(v, lang, asked) for v in VARIANTS.values() for lang in ANSWERS for asked in (True, False)]
    return sha256_of(*heads, *(f"{v.most}" for v in VARIANTS.values()), *(_block(lang, "t", "q", "c") for lang in ANSWERS))


# --- the model -----------------------------------------------------------------------------------------------------


class FirstToken(LlamaCppGenerator):
    """A GGUF model that is asked for the probabilities of the one token that comes next."""

    def count(self, text: str) -> int:
        """Return how many tokens `text` has, the one that begins every prompt included."""
        with self._alone(), self._call("tokenize", content=text, add_special=True) as reply:
            return len(json.load(reply)["tokens"])

    def tokens(self, text: str) -> list[tuple[str, float]]:
        """Return the likeliest first tokens after `text` with their probabilities before sampling, likeliest first."""
        key = ("first token", dumps(self.identity), str(SHOWN), text)
        kept = self.store.get(*key) if self.store else None
        if kept:
            return [(token, chance) for token, chance in json.loads(kept)]
        sent = {"prompt": text, "n_predict": 1, "n_probs": SHOWN, "post_sampling_probs": False, "cache_prompt": self.keeps_prefix}
        with self._alone(), self._call("completion", **sent, **self.options.sampling) as reply:
            [first] = json.load(reply)["completion_probabilities"]
        found = [(t["token"], math.exp(t["logprob"])) for t in first["top_logprobs"] if t["logprob"] is not None]
        if self.store:
            self.store.put(*key, value=dumps(found).encode("utf-8"))
        return found

    def fits(self, text: str) -> bool:
        """Whether `text` and one token more fit the context."""
        return len(text.encode("utf-8")) < self.options.context or self.count(text) < self.options.context  # a token is a byte or more


def verdict(tokens: Tokens, lang: str) -> Verdict:
    """Return the verdict that the first tokens mean: P(yes) / (P(yes) + P(no)), capitals and spaces aside; one half is "supported".

    None, with the probability where there is one, when the likeliest token is neither yes nor no.

    >>> verdict([(" yes", 0.6), (" No", 0.2), (" it", 0.1)], "en")
    Verdict(supported=True, probability=0.75)
    >>> verdict([(" it", 0.6), (" no", 0.1)], "en")
    Verdict(supported=None, probability=0.0)
    """
    words = [(token.strip().casefold(), chance) for token, chance in tokens]
    yes, no = (sum(chance for word, chance in words if word == answer) for answer in ANSWERS[lang])
    probability = round(yes / (yes + no), 6) if yes + no else None
    usable = bool(words) and words[0][0] in ANSWERS[lang]
    return Verdict(probability >= judge.HALF if usable else None, probability)


def ask(model: FirstToken, variant: Variant, pairs: Sequence[Pair], progress: str = "") -> tuple[dict[str, Verdict], int]:
    """Return the model's verdict of every pair, and of how many pairs the evidence was cut to fit the context.

    Cut means: as many of the nearest sentences as fit. A pair that does not fit with one sentence has no verdict.
    """
    found, cut = {}, 0
    for n, pair in enumerate(pairs, start=1):
        text, most = prompt(variant, pair), len(sentences(pair.evidence))
        while not model.fits(text) and most > 1:
            most -= 1
            text = prompt(variant, pair, most)
        cut += most < len(sentences(pair.evidence))
        found[pair.id] = verdict(model.tokens(text), pair.lang) if model.fits(text) else Verdict(None)
        if progress and n % 50 == 0:
            print(f"{progress}: {n}/{len(pairs)}", file=sys.stderr)
    return found, cut


# --- choosing and recording ----------------------------------------------------------------------------------------

Asks = Callable[[Variant, Sequence[Pair]], tuple[dict[str, Verdict], int]]


def choose(asks: Asks, sets: Mapping[str, Sequence[Pair]]) -> tuple[str, dict[str, float], dict]:
    """Return the variant with the highest mean AUROC over the tuning `sets`, its threshold for each set, and what all did.

    AUROC does not depend on a threshold; of equals the first is taken. The threshold has the highest kappa on the set.
    """
    did, thresholds = {}, {}
    for name, variant in VARIANTS.items():
        did[name], thresholds[name] = {}, {}
        for stratum, pairs in sets.items():
            said, _ = asks(variant, pairs)
            thresholds[name][stratum] = judge.best_threshold(pairs, said)
            found = judge.agreement(pairs, said, 1, np.random.default_rng(0))
            better = judge.kappa(pairs, judge.moved(said, thresholds[name][stratum]))
            did[name][stratum] = {
                "pairs": len(pairs),
                "kappa": _rounded(found.kappa.value),
                "raw": _rounded(found.raw.value),
                "auroc": _rounded(found.auroc.value),
                "no_verdict": found.without_verdict,
                "threshold": thresholds[name][stratum],
                "kappa_at_threshold": _rounded(better),
            }
    chosen = max(VARIANTS, key=lambda name: sum(row["auroc"] or 0 for row in did[name].values()))
    return chosen, thresholds[chosen], did


def by_stratum(pairs: Sequence[Pair]) -> dict[str, list[Pair]]:
    """Return the pairs by set and language, in their order."""
    found: dict[str, list[Pair]] = {}
    for pair in pairs:
        found.setdefault(pair.stratum, []).append(pair)
    return found


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


def own_items(top: Path) -> tuple[list[stress.Item], dict, dict[str, str]]:
    """Return the hand-written stress items, the corpora, and the digest of each file and corpus by name."""
    corpora = stress.load_corpora(top / "corpus")
    files = sorted((top / "data" / "stress").glob("hand-*.jsonl"))
    digests = {f.name: sha256_of_file(f) for f in files} | {f"corpus/{name}": c.digest for name, c in corpora.items()}
    return [item for file in files for item in stress.load(file, corpora)], corpora, digests


def record(top: Path, model: FirstToken, begin: str, values: dict[str, object]) -> dict:
    """Choose the prompt on the tuning pairs, ask about the untouched ones, and return the record; see the module."""
    items, corpora, digests = own_items(top)
    tuning = judge.own_pairs(items, corpora, "tuning", EACH_TUNING)
    final = {judge.OWN: judge.own_pairs(items, corpora, "untouched", EACH)}
    if begin:
        tuning += judge.begin_pairs(begin, "tuning", CAP_TUNING)
        final[judge.HUMAN] = judge.begin_pairs(begin, "untouched", CAP)
        digests["BEGIN"] = sha256_of_file(Path(begin))
    chosen, thresholds, did = choose(lambda v, pairs: ask(model, v, pairs, "tuning"), by_stratum(tuning))
    settings = check.settings_of(values)
    rows, cut = [], {}
    for origin, pairs in final.items():
        said, cut[origin] = ask(model, VARIANTS[chosen], pairs, origin)
        checks = judge.by_checks(pairs, check.settings_from(settings))
        rows += [judge.row(p, said[p.id], checks[p.id]) for p in pairs]
    facts = {
        "model": model.identity,
        "prompts": prompts_digest(),
        "variant": chosen,
        "variants": did,
        "thresholds": thresholds,
        "evidence_cut": cut,
        "files": digests,
        "settings": settings,
        "gates": "strict",
        "looks": LOOKS,
    }
    return {"manifest": manifest(**facts), "pairs": rows}


def written(record: dict) -> str:
    """Return the record as JSON, one pair a line."""
    rows = ",\n".join(dumps(r) for r in record["pairs"])
    described = json.dumps(record["manifest"], ensure_ascii=False, indent=1, sort_keys=True, allow_nan=False)
    return f'{{"manifest": {described},\n"pairs": [\n{rows}\n]}}\n'


def _model(name: str, options: Options, store: Store) -> FirstToken:
    if name == "llamacpp":
        return FirstToken(name, options, store)
    scheme, _, rest = name.partition(":")
    path = Path(rest).expanduser()
    if scheme != "gguf" or not path.is_file():
        raise InputError(f"--model {name}: expected llamacpp or gguf:PATH of a file; only these give the probabilities of tokens.")
    return FirstToken(name, options, store, path)


def main(words: list[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser(prog="rocite.workflow.judge")
    parser.add_argument("--begin", default="", help="a BEGIN file (TSV) with human labels")
    parser.add_argument("--model", default="llamacpp", help="llamacpp (the packaged model) or gguf:PATH")
    given = parser.parse_args(words)
    try:
        top = places.root()
        values = params.resolve(params.definitions(top / "notebooks" / "params" / "default.toml"))
        options = replace(Options.of(values), max_tokens=1)
        model = _model(given.model, options, Store(places.cache_folder() / "store.sqlite"))
        try:
            found = record(top, model, given.begin, values)
        finally:
            model.close()
        write_atomically(top / "data" / "recorded" / FILE, written(found))
    except RociteError as error:
        print(f"rocite: {error}", file=sys.stderr)
        return error.exit_status
    print(f"{len(found['pairs'])} pairs in data/recorded/{FILE}, prompt {found['manifest']['variant']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
