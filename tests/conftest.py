"""What every test stands on: the checkout's own package, and one cache for everything that models give."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import rocite

ROOT = Path(__file__).resolve().parents[1]


def pytest_configure(config):
    found = Path(rocite.__file__).resolve()
    if not found.is_relative_to(ROOT):
        pytest.exit(f"these tests would test another copy of rocite: {found}", returncode=3)
    os.environ.setdefault("ROCITE_CACHE", str(ROOT / "build" / "cache"))


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


class Clone:
    """A copy of the checkout in which make is run."""

    def __init__(self, folder: Path, cache: Path):
        self.folder = folder
        self.environment = {
            k: v for k, v in os.environ.items() if k not in {"MAKEFLAGS", "MFLAGS", "MAKELEVEL", "PYTHONPATH", "RUN", "SET"}
        }
        self.environment["ROCITE_CACHE"] = str(cache)

    def make(self, *arguments: str) -> subprocess.CompletedProcess:
        command = ["make", f"VENV={sys.prefix}", *arguments]
        return subprocess.run(command, cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=600)

    def numbers(self, run: str = "default") -> dict:
        return json.loads((self.folder / "build" / run / "numbers.json").read_text(encoding="utf-8"))

    def built(self, run: str = "default") -> dict[str, str]:
        from rocite.records import sha256_of_file  # not before it is known which rocite is tested

        folder = self.folder / "build" / run
        return {
            str(f.relative_to(folder)): sha256_of_file(f) for f in sorted(folder.rglob("*")) if f.is_file() and not f.name.startswith(".")
        }


def with_small_defaults(folder: Path) -> None:
    """Make the default run small, so that it is the default run that is tested."""
    for path in (folder / "notebooks").glob("*.ipynb"):
        path.write_text(path.read_text(encoding="utf-8").replace("resamples: int = 2000", "resamples: int = 200"), encoding="utf-8")
    path = folder / "notebooks" / "params" / "default.toml"
    path.write_text(path.read_text(encoding="utf-8").replace("value = 2000", "value = 200"), encoding="utf-8")


@pytest.fixture(scope="session")
def clone(tmp_path_factory, root):
    folder = tmp_path_factory.mktemp("clone") / "a folder with spaces"
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=root, capture_output=True, text=True, check=True)
    for name in listed.stdout.splitlines():
        if (root / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(root / name, folder / name)
    with_small_defaults(folder)
    made = Clone(folder, Path(os.environ["ROCITE_CACHE"]))
    # The environment is installed already; its stamp is for exactly this lock and project file.
    subprocess.run(["make", f"VENV={sys.prefix}", "-t", "env"], cwd=folder, env=made.environment, check=True, capture_output=True)
    first = made.make()
    assert first.returncode == 0, first.stderr
    return made
