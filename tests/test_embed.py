"""Embedders: what all of them promise, on one that can be seen through, and what each real one is known for."""

import subprocess
import sys
import textwrap
import warnings
from pathlib import Path

import numpy as np
import pytest

from rocite import embed
from rocite.cache import Store
from rocite.corpus import Corpus, Document
from rocite.embed.base import Embedder
from rocite.errors import InputError, ModelError, UnknownNameError
from rocite.retrieve import Index

SOURCE = str(Path(embed.__file__).parents[2])


class Letters(Embedder):
    """Counts letters; a token is a word, and one more stands for the prefix."""

    limit = 9

    def __init__(self, store=None, version=1, vectors=None):
        super().__init__("letters", store)
        self.version = version
        self.encoded = []  # every text that reached the "model"
        self._vectors_instead = vectors

    @property
    def identity(self):
        return {"embedder": "letters", "version": self.version}

    def _tokens(self, text, kind):
        return len(text.split()) + 1

    def _encode(self, texts, kind):
        self.encoded += texts
        if self._vectors_instead is not None:
            return self._vectors_instead
        return np.array([[t.count(c) + (kind == "question") for c in "aeiou"] for t in texts], dtype=float)


# --- windows --------------------------------------------------------------------------------------------------


def test_a_text_at_the_limit_stays_whole_and_one_word_more_makes_two_windows():
    embedder = Letters()
    whole, longer = "unu doi trei patru. cinci șase șapte opt.", "unu doi trei patru. Cinci șase șapte opt nouă."
    embedder.passages([whole, longer])
    assert (embedder.windows[whole], embedder.windows[longer]) == (1, 2)


def test_windows_lose_no_text_and_none_is_over_the_limit():
    embedder = Letters()
    text = "Prima propoziție are cinci cuvinte. " + "cuvânt " * 30 + "sfârșit. Ultima propoziție este aici."
    embedder.passages([text])
    assert embedder.windows[text] == len(embedder.encoded) > 4
    assert " ".join(embedder.encoded).split() == text.split()
    assert max(embedder._tokens(t, "passage") for t in embedder.encoded) <= embedder.limit


def test_a_word_longer_than_a_window_is_split_and_not_cut():
    embedder = Letters()
    embedder._tokens = lambda text, kind: len(text)
    word = "abcdefghij" * 3
    embedder.passages([word])
    assert "".join(embedder.encoded) == word
    assert max(map(len, embedder.encoded)) <= embedder.limit


def test_the_vector_of_windows_is_the_unit_mean_of_their_unit_vectors():
    embedder = Letters()
    first, second = "aaaa aaaa aaaa aaaa aaaa.", "Eee eee eee eee eee eee."
    [vector] = embedder.passages([f"{first} {second}"])
    np.testing.assert_allclose(vector, np.array([1, 1, 0, 0, 0]) / np.sqrt(2), atol=1e-6)
    assert np.linalg.norm(vector) == pytest.approx(1)


def test_the_index_names_the_documents_that_were_embedded_in_windows():
    long = Document("long", "", "Unu doi trei patru cinci. Șase șapte opt nouă zece.")
    index = Index(Corpus((Document("short", "", "Unu doi."), long), "two"), Letters())
    assert index.split == ["long"]


# --- the cache -------------------------------------------------------------------------------------------------


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "store.sqlite")


def test_a_text_that_is_kept_reaches_no_model_and_keeps_its_count_of_windows(store):
    text = "Unu doi trei patru cinci. Șase șapte opt nouă zece."
    first = Letters(store).passages([text])
    second = Letters(store)
    np.testing.assert_array_equal(second.passages([text]), first)
    assert second.encoded == [] and second.windows[text] == 2


@pytest.mark.parametrize("name", ["e5", "minilm"])
def test_with_everything_kept_the_real_model_is_not_loaded(store, name):
    embedder = embed.load(name, store)
    from rocite.records import dumps

    vector = np.array([0.6, 0.8], dtype="<f4")
    store.put("vector", dumps(embedder.identity), "passage", "text", value=np.array([1], "<i4").tobytes() + vector.tobytes())
    np.testing.assert_array_equal(embedder.passages(["text"])[0], vector)
    assert embedder._loaded is None


def test_another_model_version_and_another_kind_of_text_are_other_keys(store):
    Letters(store).passages(["unu"])
    for embedder, ask in [(e := Letters(store, version=2), e.passages), (e := Letters(store), e.questions)]:
        ask(["unu"])
        assert embedder.encoded == ["unu"]


def test_a_text_that_comes_twice_is_encoded_once_and_stands_twice():
    embedder = Letters()
    vectors = embedder.passages(["unu", "doi", "unu"])
    assert embedder.encoded == ["unu", "doi"]
    np.testing.assert_array_equal(vectors[0], vectors[2])


def test_a_damaged_cache_is_set_aside_with_a_warning_and_changes_no_result(tmp_path):
    path = tmp_path / "store.sqlite"
    path.write_bytes(b"this is no database" * 100)
    with pytest.warns(UserWarning, match=r"store\.sqlite cannot be used .*set aside as .*store\.damaged; models run anew"):
        vectors = Letters(Store(path)).passages(["unu"])
    np.testing.assert_array_equal(vectors, Letters().passages(["unu"]))
    assert not path.exists() and (tmp_path / "store.damaged").exists()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Letters(Store(path)).passages(["unu"])


# --- what is refused -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", " \n\t"])
def test_an_empty_text_is_refused_with_its_place_before_any_is_encoded(text):
    embedder = Letters()
    with pytest.raises(InputError, match="passage 2 is empty"):
        embedder.passages(["unu", text])
    assert embedder.encoded == []


@pytest.mark.parametrize(
    ("vectors", "expected"),
    [
        ([[np.nan, 1.0]], "the vector of 'unu' is zero or not finite"),
        ([[np.inf, 1.0]], "the vector of 'unu' is zero or not finite"),
        ([[0.0, 0.0]], "the vector of 'unu' is zero or not finite"),
        ([[1.0, 0.0], [1.0, 0.0]], r"expected 1 vectors, got an array of shape \(2, 2\)"),
        ([], r"expected 1 vectors, got an array of shape \(0,\)"),
        ([1.0, 0.0], r"expected 1 vectors, got an array of shape \(2,\)"),
    ],
)
def test_vectors_that_cannot_be_compared_are_refused_and_not_kept(store, vectors, expected):
    with pytest.raises(ModelError, match=f"letters: {expected}"):
        Letters(store, vectors=vectors).passages(["unu"])
    again = Letters(store)
    again.passages(["unu"])
    assert again.encoded == ["unu"]


def test_no_texts_give_no_vectors():
    assert len(Letters().questions([])) == 0


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("minilmm", "Did you mean 'minilm'"),
        ("st:", "Known: minilm, e5, tfidf"),
        ("openai:x", "unknown embedder 'openai:x'"),
        ("", "unknown embedder ''"),
    ],
)
def test_an_unknown_embedder_is_named_with_the_known_ones(name, expected):
    with pytest.raises(UnknownNameError, match=expected):
        embed.load(name)


def test_a_folder_that_is_not_there_is_named():
    with pytest.raises(ModelError, match=r"st:/no/such/model: no folder /no/such/model"):
        embed.load("st:/no/such/model").passages(["unu"])


# --- tfidf -----------------------------------------------------------------------------------------------------

PASSAGES = ["Numărul EORI se atribuie gratuit.", "Coletul se returnează în 14 zile.", "Declarația vamală se depune online."]


def test_tfidf_finds_the_passage_with_the_same_letters_whatever_the_diacritics():
    embedder = embed.load("tfidf")
    embedder.fit(PASSAGES)
    vectors = embedder.passages(PASSAGES)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    questions = embedder.questions(["declaratia vamala", "DECLARAŢIA VAMALĂ"])
    assert (questions @ vectors.T).argmax(1).tolist() == [2, 2]
    np.testing.assert_array_equal(questions[0], questions[1])


def test_tfidf_gives_a_question_without_a_known_letter_group_similarity_zero():
    embedder = embed.load("tfidf")
    embedder.fit(PASSAGES)
    scores = embedder.questions(["日本語"]) @ embedder.passages(PASSAGES).T
    assert scores.tolist() == [[0, 0, 0]]


def test_tfidf_says_that_it_needs_the_passages_first():
    with pytest.raises(ModelError, match="tfidf: fit it on the passages first"):
        embed.load("tfidf").questions(["unu"])


# --- e5 --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def e5():
    return embed.load("e5")


def test_e5_embeds_questions_and_passages_differently_and_to_unit_length(e5):
    question, passage = e5.questions(PASSAGES[:1])[0], e5.passages(PASSAGES[:1])[0]
    assert question @ passage < 0.999
    assert np.linalg.norm(question) == pytest.approx(1, abs=1e-5) and np.linalg.norm(passage) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("typed", ["Query: ce este EORI?", "query: ce este EORI?", "passage: ce este EORI?"])
def test_e5_keeps_a_prefix_that_the_user_typed(e5, typed):
    plain, prefixed = e5.questions(["ce este EORI?", typed])
    assert plain @ prefixed < 0.999


def test_e5_gives_a_text_the_same_vector_alone_and_in_any_list(e5):
    alone = e5.passages(PASSAGES[:1])[0]
    np.testing.assert_array_equal(e5.passages(PASSAGES)[0], alone)
    np.testing.assert_array_equal(e5.passages([*reversed(PASSAGES), "x " * 20])[2], alone)


def test_e5_reads_a_long_passage_to_its_last_sentence(e5):
    start = "Cererea se depune la biroul vamal competent. " * 50
    one, other = e5.passages([start + "Taxa este de 20 de lei.", start + "Nu se percepe nicio taxă."])
    assert e5.windows[start + "Taxa este de 20 de lei."] > 1
    assert one @ other < 0.99999


def test_e5_knows_romanian(e5):
    scores = e5.questions(["cât plătesc pentru numărul EORI", "când pot trimite înapoi pachetul"]) @ e5.passages(PASSAGES).T
    assert scores.argmax(1).tolist() == [0, 1]


# --- minilm ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def minilm():
    return embed.load("minilm")


@pytest.mark.slow
def test_minilm_embeds_a_passage_over_256_tokens_in_windows_and_reads_its_last_sentence(minilm):
    start = "The application is filed at the customs office. " * 30
    one, other = start + "The fee is twenty euros.", start + "No fee is charged."
    vectors = minilm.passages([one, other])
    assert minilm.limit == 256
    assert minilm._tokens(one, "passage") > 256
    assert minilm.windows[one] == minilm.windows[other] > 1
    assert max(minilm._tokens(w, "passage") for w in minilm._windows(one, "passage")) <= 256
    assert vectors[0] @ vectors[1] < 0.99999


@pytest.mark.slow
def test_minilm_gives_a_text_the_same_vector_alone_and_in_any_list(minilm):
    alone = minilm.passages(PASSAGES[:1])[0]
    np.testing.assert_array_equal(minilm.passages([*PASSAGES, "long " * 60])[0], alone)


@pytest.mark.slow
def test_minilm_has_no_prefix_so_that_questions_and_passages_are_alike(minilm):
    assert minilm.identity["prefixes"] == ["", ""]
    np.testing.assert_array_equal(minilm.questions(["unu"]), minilm.passages(["unu"]))


# --- no network ------------------------------------------------------------------------------------------------

_OFFLINE = """
    import socket
    from pathlib import Path

    def local_only(connect):
        def guarded(self, address):
            if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in ("127.0.0.1", "::1"):
                print("CONNECTED", address, flush=True)
                raise OSError("no network")
            return connect(self, address)
        return guarded

    def nobody(*arguments, **named):
        print("ASKED", arguments[:2], flush=True)
        raise OSError("no network")

    socket.socket.connect = local_only(socket.socket.connect)
    socket.socket.connect_ex = local_only(socket.socket.connect_ex)
    socket.getaddrinfo = nobody

    from rocite import embed
    vectors = embed.load({name!r}).passages(["Numărul EORI se atribuie gratuit."])
    print("vectors", vectors.shape)
"""


@pytest.mark.parametrize("name", ["e5", pytest.param("minilm", marks=pytest.mark.slow)])
def test_a_packaged_model_loads_with_an_empty_home_and_asks_no_network(tmp_path, name):
    for decoy in ("minilm", "e5", "all-MiniLM-L6-v2"):  # folders of the current directory that must not be taken for the model
        (tmp_path / decoy).mkdir()
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(_OFFLINE).format(name=name)],
        cwd=tmp_path,
        env={"HOME": str(tmp_path), "HF_HOME": str(tmp_path / "hub"), "PYTHONPATH": SOURCE, "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.stdout == "vectors (1, 384)\n", done.stdout + done.stderr
    assert done.returncode == 0


def test_loading_e5_does_not_load_torch():
    code = "import sys; from rocite import embed; embed.load('e5').questions(['unu']); print('torch' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], env={"PYTHONPATH": SOURCE, "PATH": "/usr/bin:/bin"}, capture_output=True, text=True, timeout=120
    )
    assert done.stdout.strip() == "False", done.stderr
