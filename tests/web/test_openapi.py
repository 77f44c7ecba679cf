"""Requests made up from the server's own OpenAPI document: none is answered by a fault, and all as the document says."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not here: `make test-extras` installs it")

schemathesis.checks.load_all_checks()
CHECKS = schemathesis.checks.CHECKS.get_by_names(
    [
        "not_a_server_error",
        "status_code_conformance",
        "content_type_conformance",
        "response_headers_conformance",
        "response_schema_conformance",
    ]
)
pytestmark = pytest.mark.extras

NUM_EXAMPLES, NUM_LONG_EXAMPLES = 25, 600  # of each operation, of each kind
ENDLESS = "/events"  # streams end with the page that reads them
NEEDS_A_RUN: set[str] = set()
WORDS = {
    "hand": [1, 2],
    "step": [0, 1, 2],
    "number": [1, 2],
    "game": ["hunl", "lhe2", "lhe3", "leduc", ""],
    "opponents": [["always-call"], ["person"], ["poki", "probe"]],
    "name": ["Ann", "\u0000", "<b>"],
    "duplicate": ["", "later", "person"],
    "answer": ["f", "c", "r", "r 300", "r 1e9", "r \u0663"],
    "coach": ["half-call-half-raise", "always-call"],
    "strategy": ["half-call-half-raise", "always-raise"],
    "after": ["r300c", "cc/", "c", "r"],
    "board": ["2c6dTh", "2c2c2c", ""],
    "method": ["br", "lbr", "match", "compare"],
    "strategies": [["uniform"], ["always-call"], ["always-call", "random"]],
    "bets": ["fc", "fcpa"],
    "rounds": ["3-4", "4-1"],
    "bet": ["check", "0.5", "all-in", "nan", "inf"],
    "text": ["<script>", "\ud7ff", "a\nb"],
}


def sit(server):
    """A new visitor with a quiz and two tables, one in the middle of a hand and one that waits; and what is known."""
    visitor = server.visitor()
    playing = visitor.sit_down("hunl", "always-call", open=True, coach=True)
    visitor.play(playing, 1, lambda hand: "c")
    visitor.next_hand(playing, visitor.view(playing)["hand"])
    waiting = visitor.sit_down("lhe3", "person", "poki")
    invitation = visitor.view(waiting)["invitation"].rpartition("/")[2]
    visitor.json("POST", "/api/rules/quiz", {})
    return visitor, {"identifier": [playing, waiting], "invitation": [invitation]}


def with_known_words(case, known, draw):
    """Some of what was made up gives way to what this server knows, so that not all ends at the door."""
    for part in (case.path_parameters, case.query, case.body):
        for key in part if isinstance(part, dict) else ():
            words = known.get(key) or WORDS.get(key)
            if words is not None and draw(st.booleans()):
                part[key] = draw(st.sampled_from(words))


def answers_of(operation, server, num_examples):
    """The status of each answer; all are as the document says."""
    visitor, known = sit(server)
    headers = {"origin": server.address, "cookie": f"nashgap_visitor={visitor.cookies['nashgap_visitor']}"}
    answers = Counter()

    @settings(
        max_examples=num_examples,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )
    @given(data=st.data(), kind=st.sampled_from(list(schemathesis.GenerationMode)))
    def ask(data, kind):
        case = data.draw(operation.as_strategy(generation_mode=kind))
        with_known_words(case, known, data.draw)
        answer = case.call(headers=headers, timeout=30)
        answers[answer.status_code] += 1
        case.validate_response(answer, checks=CHECKS)

    ask()
    return answers


def check_all(server, num_examples):
    document = schemathesis.openapi.from_url(f"{server.address}/openapi.json")
    operations = [each.ok() for each in document.get_all_operations()]
    tried = {each.label: answers_of(each, server, num_examples) for each in operations if ENDLESS not in each.path}
    assert len(tried) > 35
    is_done = {label for label, answers in tried.items() if any(status < 300 for status in answers)}
    assert tried.keys() - is_done <= NEEDS_A_RUN, "all but these are done at least once"
    assert server.end() == "", "nothing is said of a fault"


def test_no_request_is_answered_by_a_fault_and_all_as_the_document_says(serve):
    check_all(serve(), NUM_EXAMPLES)


@pytest.mark.long
def test_no_request_of_many_is_answered_by_a_fault(serve):
    check_all(serve(), NUM_LONG_EXAMPLES)
