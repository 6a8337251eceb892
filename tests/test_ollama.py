"""The Ollama backends, through the real client, against a server that can fail."""

import json
import socket
import time

import numpy as np
import pytest
from fake_ollama import FakeOllama, close, hang, page, reply, status, vector_of

from rocite import audit, cli, embed, generate, prompt
from rocite.cache import Store
from rocite.errors import InputError, ModelError
from rocite.gates.base import Fragment
from rocite.generate import Options
from rocite.ollama_server import OllamaServer

EMBEDDER = "ollama:nomic-embed-text"
GENERATOR = "ollama:gemma2:2b"
TEXT = "Numărul EORI se atribuie gratuit."


@pytest.fixture
def server(monkeypatch):
    with FakeOllama() as fake:
        monkeypatch.setenv("OLLAMA_HOST", fake.address)
        monkeypatch.setenv("ROCITE_OLLAMA_TIMEOUT", "0.4")
        yield fake


def request(question="Cât costă numărul EORI?"):
    return prompt.grounded(question, [Fragment("eori-numar", f"{TEXT} Se cere în scris.")])


def vectors(texts=(TEXT,)):
    return embed.load(EMBEDDER).passages(list(texts))


def written(store=None, options=None):
    return generate.load(GENERATOR, options or Options(), store).generate(request())


# --- when all is well ---------------------------------------------------------------------------------------


def test_vectors_come_out_with_length_one_although_the_server_does_not_normalise(server):
    [vector] = vectors()
    sent = np.array(vector_of(f"search_document: {TEXT}"))
    assert np.linalg.norm(sent) > 2
    np.testing.assert_allclose(vector, sent / np.linalg.norm(sent), atol=1e-6)


def test_each_kind_of_text_is_sent_with_its_own_prefix_and_may_not_be_cut_by_the_server(server):
    embedder = embed.load(EMBEDDER)
    embedder.passages([TEXT])
    embedder.questions([TEXT])
    sent = server.bodies("/api/embed")
    assert [body["input"] for body in sent] == [f"search_document: {TEXT}", f"search_query: {TEXT}"]
    assert all(body["truncate"] is False for body in sent)


def test_the_generator_sends_its_settings_where_the_server_reads_them(server):
    generation = written(options=Options(max_tokens=50, context=1024, seed=7))
    [body] = server.bodies("/api/generate")
    assert body["options"] == {"temperature": 0.0, "top_k": 1, "seed": 7, "num_ctx": 1024, "num_predict": 50, "stop": list(prompt.STOP)}
    assert body["prompt"] == generation.prompt and body["stream"] is False
    assert generation.text == f"[1] {TEXT}"
    assert (generation.tokens, generation.origin) == (9, "live")


def test_model_digest_quantisation_and_template_are_recorded(server):
    assert written().model | {"options": None} == {
        "generator": "ollama",
        "model": "gemma2:2b",
        "weights": "sha256:" + "1" * 64,
        "quantisation": "Q4_0",
        "template": "{{ .Prompt }}",
        "options": None,
    }


def test_a_changed_digest_under_the_same_name_is_another_model_and_is_asked_again(server, tmp_path):
    store = Store(tmp_path / "store.sqlite")
    first = written(store)
    assert written(store).origin == "kept"
    server.digests["gemma2:2b"] = "2" * 64
    again = written(store)
    assert again.origin == "live" and again.model["weights"] != first.model["weights"]
    assert len(server.bodies("/api/generate")) == 2

    embed.load(EMBEDDER, store).passages([TEXT])
    embed.load(EMBEDDER, store).passages([TEXT])
    assert len(server.bodies("/api/embed")) == 1
    server.digests["nomic-embed-text:latest"] = "3" * 64
    embed.load(EMBEDDER, store).passages([TEXT])
    assert len(server.bodies("/api/embed")) == 2


def test_a_proxy_for_the_outside_world_does_not_come_between(server, monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    assert vectors().shape == (1, 64)


@pytest.mark.parametrize("host", ["0.0.0.0:{port}", "http://0.0.0.0:{port}", "localhost:{port}", "http://127.0.0.1:{port}/"])
def test_an_address_that_the_server_listens_on_is_one_that_can_be_called(server, monkeypatch, host):
    monkeypatch.setenv("OLLAMA_HOST", host.format(port=server.address.rpartition(":")[2]))
    assert vectors().shape == (1, 64)


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("", "http://127.0.0.1:11434"),
        ("127.0.0.1", "http://127.0.0.1:11434"),
        (":8080", "http://127.0.0.1:8080"),
        ("10.0.0.0:8080", "http://10.0.0.0:8080"),
        ("[::1]:8080", "http://[::1]:8080"),
        ("https://ollama.example.org", "https://ollama.example.org"),
        ("example.org/ollama/", "http://example.org:11434/ollama"),
    ],
)
def test_the_address_is_read_as_ollamas_own_client_reads_it(monkeypatch, host, address):
    import ollama

    monkeypatch.setenv("OLLAMA_HOST", host)
    assert OllamaServer("m").address == address
    read = str(ollama.Client(host=host)._client.base_url).rstrip("/")
    assert str(ollama.Client(host=address)._client.base_url).rstrip("/") == read


@pytest.mark.parametrize(
    ("variable", "value", "expected"),
    [
        ("OLLAMA_HOST", "127.0.0.1:port", "expected an address as 127.0.0.1:11434"),
        ("ROCITE_OLLAMA_TIMEOUT", "soon", "expected a number of seconds"),
    ],
)
def test_a_setting_that_cannot_be_read_is_named(monkeypatch, variable, value, expected):
    monkeypatch.setenv(variable, value)
    with pytest.raises(InputError, match=rf"{variable}='{value}'.*{expected}"):
        OllamaServer("m")


# --- when it is not ------------------------------------------------------------------------------------------


def test_with_nothing_on_the_port_the_message_has_the_address_and_the_command(monkeypatch):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    monkeypatch.setenv("OLLAMA_HOST", f"127.0.0.1:{port}")
    for ask in (vectors, written):
        with pytest.raises(ModelError, match=rf"no Ollama server at http://127.0.0.1:{port}\. Start it with: ollama serve"):
            ask()


@pytest.mark.parametrize("ask", [vectors, written])
def test_a_model_that_was_not_pulled_is_named_with_the_command_that_pulls_it(server, ask):
    server.digests.clear()
    with pytest.raises(ModelError, match=r"has no model '(\S+)'\. Run: ollama pull \1$"):
        ask()
    assert "/api/pull" not in [path for path, _ in server.requests]


@pytest.mark.parametrize(("ask", "path"), [(vectors, "/api/embed"), (written, "/api/generate")])
@pytest.mark.parametrize(
    ("script", "expected"),
    [
        (status(404, "model not found"), r"has no model '.+'\. Run: ollama pull"),
        (status(500, "llama runner process has terminated"), r"answered with an error: llama runner process has terminated"),
        (status(500, "context deadline exceeded"), r"answered with an error: context deadline exceeded"),
        (page, r"what answers at http://127\.0\.0\.1:\d+ is not an Ollama server"),
        (hang, r"did not answer within 0\.4 s; set ROCITE_OLLAMA_TIMEOUT"),
        (close, r"Ollama at http://127\.0\.0\.1:\d+ broke off the connection"),
    ],
)
def test_a_failing_call_is_one_clear_error(server, ask, path, script, expected):
    server.script[path] = script
    start = time.monotonic()
    with pytest.raises(ModelError, match=expected):
        ask()
    assert time.monotonic() - start < 4
    assert len(server.bodies(path)) == 1, "one failure ends it; the call is not repeated"


@pytest.mark.parametrize("path", ["/api/tags", "/api/show"])
@pytest.mark.parametrize(
    ("script", "expected"),
    [
        (page, "is not an Ollama server"),
        (reply(hello="world"), "is not an Ollama server"),
        (hang, "did not answer within"),
        (close, "broke off the connection"),
    ],
)
def test_a_failing_preflight_stops_before_any_text_is_sent(server, path, script, expected):
    server.script[path] = script
    for ask in (vectors, written):
        with pytest.raises(ModelError, match=expected):
            ask()
    assert not server.bodies("/api/embed") and not server.bodies("/api/generate")


def test_a_server_without_a_model_list_is_not_taken_for_one_without_the_model(server):
    server.script["/api/tags"] = status(404, "Not Found")
    with pytest.raises(ModelError, match=r"is not an Ollama server \(404\)"):
        vectors()


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        (reply(embeddings=[[float("nan"), 1.0]]), "zero or not finite"),
        (reply(embeddings=[[float("inf"), 1.0]]), "zero or not finite"),
        (reply(embeddings=[[0.0, 0.0]]), "zero or not finite"),
        (reply(embeddings=[]), "expected one vector, got 0"),
        (reply(embeddings=[[]]), "expected one vector"),
        (reply(embeddings=[[1.0], [1.0]]), "expected one vector, got 2"),
        (reply(embeddings=None), "is not an Ollama server"),
    ],
)
def test_a_reply_without_a_usable_vector_is_refused_and_not_kept(server, tmp_path, script, expected):
    server.script["/api/embed"] = script
    store = Store(tmp_path / "store.sqlite")
    with pytest.raises(ModelError, match=expected):
        embed.load(EMBEDDER, store).passages([TEXT])
    server.script.clear()
    assert embed.load(EMBEDDER, store).passages([TEXT]).shape == (1, 64)


def test_vectors_of_different_lengths_are_refused(server):
    server.script["/api/embed"] = lambda body: reply(embeddings=[[1.0] * len(body["input"])])(body)
    with pytest.raises(ModelError, match="ollama:nomic-embed-text: the vectors do not have one length"):
        vectors(["scurt", "ceva mai lung"])


def test_a_text_that_the_server_cut_is_refused_whether_it_says_so_or_not(server):
    server.script["/api/embed"] = reply(embeddings=[[1.0, 0.0]], prompt_eval_count=2048)
    with pytest.raises(InputError, match="fills the context of 2048 tokens; it was cut"):
        vectors()
    server.script["/api/embed"] = status(400, "the input length exceeds the context length")
    with pytest.raises(InputError, match="longer than the model's context"):
        vectors()


def test_a_text_over_the_context_is_sent_in_windows(server):
    server.context_length = 64
    embedder = embed.load(EMBEDDER)
    text = " ".join(f"Propoziția numărul {n} are câteva cuvinte." for n in range(20))
    embedder.passages([text])
    sent = [body["input"].removeprefix("search_document: ") for body in server.bodies("/api/embed")]
    assert embedder.windows[text] == len(sent) > 1
    assert all(len(body["input"].encode()) <= 2 * 64 for body in server.bodies("/api/embed")), "two bytes a token, prefix included"
    assert " ".join(sent) == text


def test_no_answer_is_taken_from_a_prompt_that_fills_the_context(server):
    server.context_length = 8192
    server.script["/api/generate"] = reply(response=f"[1] {TEXT}", prompt_eval_count=4095)
    with pytest.raises(ModelError, match="the prompt of 4095 tokens does not fit 4096; no answer is taken from it"):
        written()


def test_a_prompt_that_was_cut_at_the_models_own_smaller_context_is_noticed_too(server):
    server.context_length = 1024
    server.script["/api/generate"] = reply(response=f"[1] {TEXT}", prompt_eval_count=1023)
    with pytest.raises(ModelError, match="does not fit 1024"):
        written()
    assert server.bodies("/api/generate")[0]["options"]["num_ctx"] == 1024


def test_a_server_that_tells_no_context_length_gets_short_texts_and_the_context_that_was_asked_for(server):
    server.context_length = None
    assert embed.load(EMBEDDER).limit == 2048
    written(options=Options(context=8192))
    assert server.bodies("/api/generate")[0]["options"]["num_ctx"] == 8192


def test_a_prompt_that_cannot_fit_is_not_sent(server):
    with pytest.raises(InputError, match="the prompt does not fit a context of 256 tokens"):
        written(options=Options(max_tokens=200, context=256))
    assert not server.bodies("/api/generate")


@pytest.mark.parametrize("count", [None, 3])
def test_a_missing_or_small_prompt_count_alone_is_no_sign_of_a_cut(server, count):
    server.script["/api/generate"] = reply(response=f"[1] {TEXT}", prompt_eval_count=count)
    assert written().text == f"[1] {TEXT}"


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"thinking": "vezi [3]", "response": "Termenul este [1]"}, "Termenul este [1]"),
        ({"response": "<think>vezi art. 9 [3]</think>Termenul este [1]"}, "Termenul este [1]"),
        ({"response": "<THINKING>vezi\n[3]</THINKING>\nTermenul este [1]"}, "Termenul este [1]"),
        ({"response": "vezi art. 9 [3]</think>Termenul este [1]"}, "Termenul este [1]"),
        ({"response": "<think>vezi art. 9 [3] și atât"}, ""),
        ({"response": "Termenul este [1]<think>sau poate [3]"}, "Termenul este [1]"),
    ],
)
def test_thinking_is_kept_aside_and_never_part_of_the_answer(server, fields, text):
    server.script["/api/generate"] = reply(**fields)
    generation = written()
    assert generation.text == text
    assert "[3]" in generation.thinking


@pytest.mark.parametrize(
    ("response", "text"),
    [
        ("1] Este gratuit.", "[1] Este gratuit."),
        ("[1] Este gratuit.", "[1] Este gratuit."),
        ("Este gratuit [1].", "Este gratuit [1]."),
        ("5 zile [1].", "5 zile [1]."),
        (" ", ""),
    ],
)
def test_the_opening_bracket_is_put_in_front_only_where_the_model_went_on_from_it(server, response, text):
    server.script["/api/generate"] = reply(response=response)
    assert written().text == text


# --- the command ----------------------------------------------------------------------------------------------


@pytest.fixture
def ask(server, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("ROCITE_CACHE", str(tmp_path / "cache"))
    log = audit.AuditLog(tmp_path / "ask.jsonl")
    monkeypatch.setattr(audit, "AuditLog", lambda path: log)

    def run():
        code = cli.main(
            ["ask", "Ce înseamnă EORI și cât costă?", "--embedder", EMBEDDER, "--generator", GENERATOR, "--gates", "article", "--json"]
        )
        out, err = capsys.readouterr()
        return code, out, err, log

    return run


def test_ask_answers_through_ollama_alone(ask, server):
    server.copies = "Durata medie"
    code, out, _, log = ask()
    found = json.loads(out)
    assert (code, found["verdict"]) == (0, "accepted")
    assert found["answer"].startswith("Durata medie de soluționare a cererii")
    assert [source["id"] for source in found["sources"]] == ["eori-numar"]
    [record] = log.read()
    assert record["generation"]["model"]["weights"] == "sha256:" + "1" * 64
    assert record["embedder"]["weights"] == "sha256:" + "0" * 64


def test_thinking_goes_into_the_audit_log_and_its_citations_do_not_count(ask, server):
    sentence = "Durata medie de soluționare a cererii este de 5 zile, iar termenul maxim este de 30 de zile."

    def thinks(body):
        place = next(line for line in body["prompt"].split("\n")[::-1] if sentence in line)[:3]
        return reply(response=f"<think>poate [7]</think>{sentence} {place}")(body)

    server.script["/api/generate"] = thinks
    code, out, _, log = ask()
    assert (code, json.loads(out)["verdict"]) == (0, "accepted"), "a citation [7] would have been an invention"
    assert log.read()[0]["generation"]["thinking"] == "<think>poate [7]</think>"


@pytest.mark.parametrize("path", ["/api/embed", "/api/generate"])
def test_a_failing_server_ends_ask_with_one_line_and_no_decision(ask, server, path):
    server.script[path] = status(500, "out of memory")
    code, out, err, log = ask()
    assert (code, out) == (1, "")
    assert err.strip().split("\n")[-1].endswith("answered with an error: out of memory (status code: 500)")
    assert "Traceback" not in err
    assert not log.path.exists(), "an error is not a refusal"
