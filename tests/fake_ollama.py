"""A server that speaks as much of Ollama's protocol as rocite uses, and fails when it is told to.

    with FakeOllama() as server:                        # healthy, two models pulled
        server.script["/api/embed"] = status(500, "out of memory")

A script is a function of the request's body. It returns a reply, HANG (no reply) or CLOSE (the line goes dead).
"""

import json
import threading
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

HANG = "hang"
CLOSE = "close"
DIGEST = "0" * 64
DIMENSIONS = 64


def status(code, message):
    """A script: an error as Ollama words it."""
    return lambda body: (code, "application/json", json.dumps({"error": message}))


def reply(**fields):
    """A script: a JSON object; NaN goes out as Python and some servers write it."""
    return lambda body: (200, "application/json", json.dumps(fields))


def page(body):
    """A script: the front page of some other server."""
    return 200, "text/html", "<html><body>It works!</body></html>"


def hang(body):
    """A script: nothing comes, ever."""
    return HANG


def close(body):
    """A script: the connection is closed without a reply."""
    return CLOSE


def vector_of(text):
    """Counts of letter triples: similar texts get similar vectors, and none has length 1."""
    vector = [0.0] * DIMENSIONS
    for start in range(len(text) - 2):
        vector[zlib.crc32(text[start : start + 3].lower().encode()) % DIMENSIONS] += 3.0
    return vector


class FakeOllama:
    def __init__(self):
        self.digests = {"nomic-embed-text:latest": DIGEST, "gemma2:2b": "1" * 64}
        self.context_length = 2048
        self.copies = "gratuit"  # the "model" copies the last line of the prompt in which this stands
        self.script = {}
        self.requests = []  # (path, body)
        self._closing = threading.Event()
        fake = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                fake._serve(self, {})

            def do_POST(self):
                fake._serve(self, json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

            def log_message(self, *arguments):
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self.address = f"127.0.0.1:{self._http.server_port}"
        threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._closing.set()
        self._http.shutdown()
        self._http.server_close()

    def bodies(self, path):
        """What was sent to `path`, in order."""
        return [body for asked, body in self.requests if asked == path]

    def _serve(self, handler, body):
        self.requests.append((handler.path, body))
        answer = self.script.get(handler.path, self._healthy(handler.path))(body)
        if answer == HANG:
            self._closing.wait(20)
        if answer in (HANG, CLOSE):
            return
        code, kind, text = answer
        handler.send_response(code)
        handler.send_header("Content-Type", kind)
        handler.end_headers()
        handler.wfile.write(text.encode("utf-8"))

    def _healthy(self, path):
        routes = {"/api/tags": self._tags, "/api/show": self._show, "/api/embed": self._embed, "/api/generate": self._generate}
        return routes.get(path, status(404, "page not found"))

    def _known(self, body):
        return body["model"] in self.digests or f"{body['model']}:latest" in self.digests

    def _missing(self, body):
        return status(404, f"model '{body['model']}' not found")(body)

    def _tags(self, body):
        return reply(models=[{"name": name, "model": name, "digest": digest} for name, digest in self.digests.items()])(body)

    def _show(self, body):
        if not self._known(body):
            return self._missing(body)
        info = {"fake.context_length": self.context_length} if self.context_length else {}
        return reply(template="{{ .Prompt }}", details={"quantization_level": "Q4_0"}, model_info=info)(body)

    def _embed(self, body):
        if not self._known(body):
            return self._missing(body)
        return reply(embeddings=[vector_of(body["input"])], prompt_eval_count=len(body["input"].split()))(body)

    def _generate(self, body):
        if not self._known(body):
            return self._missing(body)
        lines = [line for line in body["prompt"].split("\n") if self.copies in line]
        return reply(response=lines[-1] if lines else "NU_STIU", prompt_eval_count=len(body["prompt"].split()), eval_count=9)(body)
