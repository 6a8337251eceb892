"""What every test stands on: the checkout's own package, and one cache for everything that models give."""

import os
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
