"""Requests made up from the server's OpenAPI document: none is answered by a fault, and all as the document says."""

from __future__ import annotations

import pytest
from furnished import furnish, sit
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

NUM_EXAMPLES, NUM_LONG_EXAMPLES = 15, 400  # of each operation, of each kind
ENDLESS = "/events"  # streams end with the page that reads them
NEVER_DONE = ("/stop", "/resume")  # of a run that is finished
WORDS = {
    "hand": [1, 2],
    "step": [0, 1, 2],
    "number": [1, 2],
    "game": ["hunl", "lhe2", "lhe3", "leduc", ""],
    "opponents": [["always-call"], ["person"], ["poki", "probe"]],
    "duplicate": ["", "later", "person"],
    "answer": ["f", "c", "r", "r 300", "r 1e9", "r \u0663"],
    "coach": ["half-call-half-raise", "always-call"],
    "strategy": ["half-call-half-raise", "always-raise"],
    "after": ["r300c", "cc/", "c", "r"],
    "board": ["2c6dTh", "2c2c2c", ""],
    "method": ["br", "lbr", "abr", "compare-match"],
    "strategies": [["uniform"], ["always-call"], ["always-call", "random"]],
    "bets": ["fc", "fcpa"],
    "rounds": ["3-4", "4-1"],
    "bet": ["check", "0.5", "all-in", "nan", "inf"],
    "text": ["<script>", "\ud7ff", "a\nb"],
}


SPOT = {"board": "As Kd 7h 4c 2s", "oop": "AA,QJo", "ip": "KK,87s", "pot": 200, "stacks": [900, 900], "until": 1.0}


def right_bodies(known, coach):
    """What is sent to be done, by the end of the path; the first that fits."""
    now = {"hand": known.hand["number"], "step": known.hand["step"]}
    return {
        "/quiz/answer": {"number": 1, "bet": "check"},
        "/quiz/next": {"number": 1},
        "/api/tables": {"game": "hunl", "opponents": ["always-call"]},
        "/act": {**now, "answer": "c"},
        "/next": {"hand": now["hand"]},
        "/remark": {"hand": 1, "text": "<i>thin</i>"},
        "/coach": {**now, "coach": coach},
        "/review": {"coach": coach},
        "/spots/range": {"text": "22+, AT+", "painted": {"AKs": 0.5}},
        "/spots/size": SPOT,
        "/api/spots": SPOT,
        "/again": {"locks": ["b200 = c"]},
        "/api/measures": {"method": "lbr", "strategies": ["always-call"], "game": "lhe2", "deals": 20, "seed": 5},
    }


def ask_rightly(operation, visitor, known, names, coach, headers):
    """Once as it should be asked; what came."""
    if operation.path.endswith("/next"):
        finish(visitor, known)
    name = names[1 if "tournament" in operation.path else 2 if "spots" in operation.path else 0]
    words = {"identifier": known.playing, "invitation": known.invitation, "name": name, "hand": 1}
    query = {"strategy": "probe", "game": "hunl"} if operation.path == "/api/look" else {}
    bodies = [body for end, body in right_bodies(known, coach).items() if operation.path.endswith(end)]
    case = operation.Case(
        path_parameters={key: word for key, word in words.items() if f"{{{key}}}" in operation.path},
        query=query,
        **({"body": (bodies or [{}])[0], "media_type": "application/json"} if operation.method == "post" else {}),
    )
    answer = case.call(headers=headers, timeout=60)
    case.validate_response(answer, checks=CHECKS)
    return answer


def finish(visitor, known):
    """Come to the end of the hand, and answer the quiz, so that the next can be asked for."""
    visitor.play(known.playing, 1, lambda hand: "c")
    visitor.json("POST", "/api/rules/quiz/answer", {"number": 1, "bet": "check"})


def with_known_words(case, known, draw):
    """Some of what was made up gives way to what this server knows, so that not all ends at the door."""
    for part in (case.path_parameters, case.query, case.body):
        for key in part if isinstance(part, dict) else ():
            words = known.get(key) or WORDS.get(key)
            if words is not None and draw(st.booleans()):
                part[key] = draw(st.sampled_from(words))


def try_operation(operation, server, names, coach, num_examples):
    visitor, known = sit(server)
    headers = {"origin": server.address, "cookie": f"nashgap_visitor={visitor.cookies['nashgap_visitor']}"}
    done = ask_rightly(operation, visitor, known, names, coach, headers)
    assert done.status_code < 300 or operation.path.endswith(NEVER_DONE), f"{operation.label}: {done.text}"
    words = {"identifier": [known.playing, known.waiting], "invitation": [known.invitation], "name": names}

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
        with_known_words(case, words, data.draw)
        case.validate_response(case.call(headers=headers, timeout=60), checks=CHECKS)

    ask()


def try_all(server, names, coach, num_examples):
    document = schemathesis.openapi.from_url(f"{server.address}/openapi.json")
    operations = [each.ok() for each in document.get_all_operations()]
    tried = [each for each in operations if not each.path.endswith(ENDLESS)]
    assert len(tried) > 35
    for each in tried:
        try_operation(each, server, names, coach, num_examples)
    assert server.end() == "", "nothing is said of a fault"


def test_no_request_is_answered_by_a_fault_and_all_as_the_document_says(serve, bot, tmp_path):
    names = furnish(tmp_path / "runs")
    try_all(serve(bot), names, bot, NUM_EXAMPLES)


@pytest.mark.long
def test_no_request_of_many_is_answered_by_a_fault(serve, bot, tmp_path):
    names = furnish(tmp_path / "runs")
    try_all(serve(bot), names, bot, NUM_LONG_EXAMPLES)
