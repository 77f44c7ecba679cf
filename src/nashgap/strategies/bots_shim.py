"""For the moment: texts as bots."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nashgap.strategies.named import load_strategy
from nashgap.strategies.poker_named import PokerStrategy, load_poker_strategy
from nashgap.strategies.spec import file_word, spec_digest

__all__ = ["Bot", "PokerStrategy", "as_bot", "file_word", "load_poker", "load_table", "parse_bot"]


@dataclass(frozen=True)
class Bot:
    text: str
    given: Any = None

    @property
    def is_named(self) -> bool:
        return self.given is None

    @property
    def label(self) -> str:
        return self.text

    def to_config(self) -> dict[str, Any]:
        return {"text": self.text, "digest": spec_digest(self.text)}

    @classmethod
    def from_config(cls, value: Mapping[str, Any], inputs: Mapping[str, str]) -> Bot:
        return cls(value["text"])


def parse_bot(text: str) -> Bot:
    return Bot(text.strip())


def as_bot(subject: Any, digest: str | None = None) -> Bot:
    if isinstance(subject, Bot):
        return subject
    return parse_bot(subject) if isinstance(subject, str) else Bot(getattr(subject, "name", "given"), subject)


def load_poker(bot: Bot, rules: Any) -> PokerStrategy:
    return bot.given if bot.given is not None else load_poker_strategy(bot.text, rules)


def load_table(bot: Bot, tree: Any) -> Any:
    return bot.given if bot.given is not None else load_strategy(bot.text, tree)
