"""The errors a reader can meet. Each message says what was expected, what was found, where, and what to do.

``exit_status`` is what the command line returns for it: 2 for input or usage that has to be mended by
whoever wrote it, 1 for something that went wrong on the way (a server that stopped, a file that vanished).
"""


class RociteError(Exception):
    """Something went wrong on the way; the message names the next step."""

    exit_status = 1


class InputError(RociteError):
    """A file, a question or a parameter cannot be used as it is; nothing was changed."""

    exit_status = 2


class ModelError(RociteError):
    """A model file or a model server is missing, is another one than expected, or failed."""


class UnknownNameError(InputError):
    """A name (embedder, generator, gate, parameter) that rocite does not know; the nearest known one is named."""

    def __init__(self, kind: str, name: str, known: list[str]):
        import difflib

        near = difflib.get_close_matches(name, known, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        super().__init__(f"unknown {kind} {name!r}.{hint} Known: {', '.join(known)}.")
