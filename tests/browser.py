"""A headless Chromium at the other end of a web socket: open a page, look, press keys, hear every request and error."""

import base64
import json
import shutil
import subprocess
import time
from pathlib import Path

import websocket

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
_FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --hide-scrollbars --remote-debugging-port=0 --remote-allow-origins=*"
).split()


class Browser:
    """One tab. `requests`, `failures` and `errors` hold what happened since the last `open`."""

    def __init__(self, profile: Path):
        self.process = subprocess.Popen([CHROMIUM, *_FLAGS, f"--user-data-dir={profile}", "about:blank"], stderr=subprocess.DEVNULL)
        port = self._port(profile)
        import urllib.request

        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list", timeout=20) as reply:
            page = next(t for t in json.load(reply) if t["type"] == "page")
        self.socket = websocket.create_connection(page["webSocketDebuggerUrl"], timeout=30)
        self.number = 0
        self.requests, self.failures, self.errors = [], [], []
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=0, uploadThroughput=0)

    def _port(self, profile: Path) -> str:
        for _ in range(200):
            file = profile / "DevToolsActivePort"
            if file.exists() and file.read_text().strip():
                return file.read_text().split()[0]
            time.sleep(0.1)
        raise TimeoutError("Chromium did not start")

    def call(self, method: str, **parameters) -> dict:
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv())
            if message.get("id") == self.number:
                assert "error" not in message, message
                return message["result"]
            self._hear(message)

    def _hear(self, message: dict) -> None:
        kind, facts = message.get("method"), message.get("params", {})
        if kind == "Network.requestWillBeSent":
            self.requests.append(facts["request"]["url"])
        elif kind == "Network.loadingFailed":
            self.failures.append(facts.get("errorText"))
        elif kind == "Runtime.exceptionThrown":
            self.errors.append(facts["exceptionDetails"].get("text"))
        elif kind == "Runtime.consoleAPICalled" and facts["type"] in ("error", "assert"):
            self.errors.append(str(facts["args"]))
        elif kind == "Log.entryAdded" and facts["entry"]["level"] == "error":
            self.errors.append(facts["entry"]["text"])
        elif kind == "Page.javascriptDialogOpening":
            self.errors.append(f"dialog: {facts['message']}")

    def open(self, address: str) -> None:
        self.requests, self.failures, self.errors = [], [], []
        self.call("Page.navigate", url=address)
        for _ in range(200):
            if self.run("document.readyState") == "complete":
                break
            time.sleep(0.02)
        time.sleep(0.1)
        self.run("0")

    def run(self, script: str):
        return self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)["result"].get("value")

    def press(self, key: str) -> None:
        for kind in ("rawKeyDown", "keyUp"):
            code = {"ArrowRight": 39, "ArrowLeft": 37, "Tab": 9, "Enter": 13, "End": 35, "Home": 36}[key]
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code)

    def width(self, pixels: int) -> None:
        self.call("Emulation.setDeviceMetricsOverride", width=pixels, height=800, deviceScaleFactor=1, mobile=pixels < 600)

    def picture(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot")["data"]))

    def close(self) -> None:
        self.socket.close()
        self.process.terminate()
        self.process.wait(20)
