"""A server and a browser for a test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from browsing import CHROMIUM, DESK, OPTIONS, SECONDS
from serving import Server

import nashgap as ng


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Start a server; all that a test started are ended with it."""
    started: list[Server] = []

    def begin(*words: str) -> Server:
        started.append(Server(tmp_path / "runs", *words))
        return started[-1]

    yield begin
    for server in started:
        if server.process.poll() is None:
            server.end()


@pytest.fixture(scope="session")
def bot(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A strategy file of heads-up no-limit."""
    file = tmp_path_factory.mktemp("bots") / "bot.safetensors"
    ng.solve("hunl-fcpa-small", iterations=200).save(file)
    return str(file)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium: Any) -> Iterator[Any]:
    """A page of a browser of its own; whatever goes wrong inside of it, or is asked of another server, is found."""
    opened = []
    problems: list[str] = []

    def begin(address: str, size: tuple[int, int] = DESK, scheme: str = "light") -> Any:
        width, height = size
        context = chromium.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
        context.set_default_timeout(SECONDS)
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
        own = urlsplit(address).netloc
        page.on("request", lambda asked: None if urlsplit(asked.url).netloc == own else problems.append(asked.url))
        page.goto(address)
        opened.append(context)
        return page

    yield begin
    for context in opened:
        context.close()
    assert problems == []
