"""A master that summons experts plays as the file with the experts grafted in, whatever its base is made of."""

import numpy as np
import pytest
from abstract_games import abstract_game, random_abstract_strategy, random_tables, sized_rules

import nashgap as ng
from nashgap.abstraction.abstract_game import AbstractGame
from nashgap.abstraction.buckets import build_abstraction, parse_card_abstraction
from nashgap.agents.master import master_agent
from nashgap.agents.named import load_agent
from nashgap.core.game import CHANCE
from nashgap.core.strategy import Policy
from nashgap.errors import ConfigError, FileFormatError, MismatchError
from nashgap.explanations.strategy_distance import compare_abstract
from nashgap.poker.betting_abstraction import parse_betting_abstraction
from nashgap.poker.betting_tree import build_betting_tree
from nashgap.poker.game import PokerGame
from nashgap.poker.hands import hand_names
from nashgap.poker.prefix import parse_prefix
from nashgap.poker.state import View
from nashgap.solvers.given import GivenAbstractStrategy
from nashgap.strategies.abstract import AbstractStrategy, graft
from nashgap.strategies.abstract_file import load_abstract_strategy
from nashgap.strategies.bot import MasterBot, bot_from_identity
from nashgap.strategies.load import load
from nashgap.strategies.master import MasterStrategy
from nashgap.strategies.spec import parse_bot

LEDUC3 = PokerGame("leduc3").rules
SEQUENCES = ("rf", "crf", "ccrf")


def expert(prefix, rules=LEDUC3, seed=0, betting="full", ranges=None):
    tree = build_betting_tree(rules, parse_betting_abstraction(betting), parse_prefix(rules, prefix))
    game = AbstractGame(tree, build_abstraction(parse_card_abstraction("lossless"), rules), ranges)
    return AbstractStrategy(game, random_tables(game, seed), name=f"expert-{prefix}")


def states_of(rules, state=None):
    """All decisions of a limit game on some boards."""
    state = rules.root() if state is None else state
    if state.seat == CHANCE:
        for cards in (rules.deck[:1], rules.deck[-1:]):
            yield from states_of(rules, state.deal(cards))
    elif state.seat >= 0:
        yield state
        for action in state.legal:
            yield from states_of(rules, state.act(action))


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("master")
    base = random_abstract_strategy(abstract_game(LEDUC3), seed=1)
    experts = graft(*(expert(text, seed=number + 2) for number, text in enumerate(SEQUENCES)))
    for name, strategy in (("base", base), ("experts", experts), ("grafted", graft(base, experts))):
        strategy.save(folder / f"{name}.safetensors")
    return folder, base, experts


def test_a_grafted_strategy_is_the_base_but_behind_the_prefixes(files):
    _, base, experts = files
    grafted, number = graft(base, experts), 0
    for state in states_of(LEDUC3):
        flat = state.betting.replace("/", "")
        prefix = next((text for text in SEQUENCES if flat.startswith(text)), None)
        [policy] = grafted.policies([state])
        [expected] = (base if prefix is None else experts).policies([state])
        np.testing.assert_array_equal(policy.probabilities, expected.probabilities)
        assert policy.moves == expected.moves
        number += prefix is not None
    assert number > 50
    with pytest.raises(MismatchError, match="is an expert for what follows rf, crf, ccrf; it says nothing after 'c'"):
        experts.policies([LEDUC3.root().act(0)])


def test_a_file_keeps_its_segments(files):
    folder, base, experts = files
    loaded = load_abstract_strategy(folder / "grafted.safetensors")
    assert [segment.prefix_text for segment in loaded.segments] == ["", *SEQUENCES]
    for own, other in zip(loaded.segments, (*base.segments, *experts.segments), strict=True):
        assert own.game.fingerprint == other.game.fingerprint
        for first, second in zip(own.tables, other.tables, strict=True):
            np.testing.assert_array_equal(first, second)
    check = ng.check(folder / "grafted.safetensors")
    assert check.information_sets == sum(segment.game.num_infosets for segment in loaded.segments)
    assert [*check.facts["grafts"]] == [*SEQUENCES]


def test_ranges_are_kept_and_shown(tmp_path):
    ranges = np.random.default_rng(1).uniform(size=(3, 8))
    own = expert("rf", ranges=ranges)
    own.save(tmp_path / "rf.safetensors", is_quantised=True)
    loaded = load_abstract_strategy(tmp_path / "rf.safetensors")
    np.testing.assert_array_equal(loaded.game.ranges, ranges)
    view = ng.show(tmp_path / "rf.safetensors", after="rfc/", board=str(view_card()))
    assert view.after == "rfc/"
    gap = ng.measure(tmp_path / "rf.safetensors", by="bucket-br", deals=20_000)
    assert gap.nash_conv.mean > 0.1 and gap.gains[1].mean == 0.0


def view_card():
    from nashgap.cards.card import format_cards

    return format_cards(LEDUC3.deck[:1])


@pytest.mark.slow
def test_the_two_forms_choose_the_same_actions_in_a_hundred_thousand_hands(files):
    """Counts of every action of every seat in every round, and all winnings, of the same cards and draws."""
    folder, _, _ = files
    others, options = ("triple(0.2,0.4,0.4)", "triple(0.1,0.4,0.5)"), {"game": LEDUC3, "deals": 17_000, "seed": 5}
    forms = (f"master:{folder}/base.safetensors+{folder}/experts.safetensors", f"{folder}/grafted.safetensors")
    summoned, grafted = (ng.match(form, *others, **options) for form in forms)
    assert summoned.hands >= 100_000
    np.testing.assert_array_equal(summoned.winrates, grafted.winrates)
    assert summoned.behaviour == grafted.behaviour


@pytest.mark.parametrize("base", ["{folder}/base.safetensors", "always-call", "triple(0.1,0.4,0.5)"])
def test_the_two_forms_play_the_same_hands(files, base):
    folder, _, _ = files
    base = base.format(folder=folder)
    summoning = f"master:{base}+{folder}/experts.safetensors"
    others, options = ("triple(0.2,0.4,0.4)", "triple(0.3,0.3,0.4)"), {"game": LEDUC3, "deals": 3000, "seed": 3}
    played = ng.match(summoning, *others, **options)
    if base.endswith(".safetensors"):
        grafted = ng.match(f"{folder}/grafted.safetensors", *others, **options)
        np.testing.assert_array_equal(played.winrates, grafted.winrates)
    assert (played.winrates != ng.match(base, *others, **options).winrates).any()  # or nobody was summoned


class InPython:
    """Asked from Python: always calls, and remembers how often it was asked."""

    asked = 0

    def act(self, view):
        type(self).asked += 1
        return 0


def test_a_base_of_python_is_asked_only_where_no_expert_plays(files):
    folder, _, _ = files
    experts = folder / "experts.safetensors"
    pure = load_abstract_strategy(experts).with_options(purify=True)  # so that nothing hangs on who draws when
    own = master_agent("own", load_agent(InPython(), LEDUC3), pure)
    native = f"master:always-call+{experts}(purify=yes)"
    results = [
        ng.match(agent, "triple(0.2,0.2,0.6)", "triple(0.2,0.2,0.6)", game=LEDUC3, deals=60, seed=1)
        for agent in (own, native)
    ]
    np.testing.assert_array_equal(results[0].winrates, results[1].winrates)
    summoned = InPython.asked
    InPython.asked = 0
    ng.match(InPython(), "triple(0.2,0.2,0.6)", "triple(0.2,0.2,0.6)", game=LEDUC3, deals=60, seed=1)
    assert 0 < summoned < InPython.asked


class Mixing:
    """Asked from Python: every legal action equally often."""

    name, is_sampled = "mixing", False

    def policies(self, states):
        return [self.policy(state) for state in states]

    def policy(self, state):
        moves = tuple(state.legal)
        return Policy(hand_names(state.rules), tuple(map(str, moves)), np.full((1, len(moves)), 1 / len(moves)), moves)


def never_reached(prefix):
    """An expert whose training has seen nothing."""
    own = expert(prefix)
    return AbstractStrategy(own.game, tuple(map(np.zeros_like, own.tables)), name=own.name)


def test_what_an_expert_draws_does_not_hang_on_what_its_base_drew():
    """The base raises in one of two hands, and the expert must call in as many of those as in all."""
    master = master_agent("own", load_agent(Mixing(), LEDUC3), never_reached("rf"))
    master.start_match(LEDUC3)
    root = LEDUC3.root()
    raised = root.act(root.legal.max_raise_to).act(-1)
    pairs = []
    for deal in range(2_000):
        master.start_hand(root.seat, np.random.Generator(np.random.Philox(key=[deal, 1])))
        views = [View(state, state.seat, (LEDUC3.deck[0],)) for state in (root, raised)]
        pairs.append(tuple(map(master.act, views)))
    by_base = {move: [later for first, later in pairs if first == move] for move in {first for first, _ in pairs}}
    for later in by_base.values():
        shares = [later.count(move) / len(later) for move in raised.legal]
        np.testing.assert_allclose(shares, 1 / len(shares), atol=0.07)  # five standard errors


class Sampled(Mixing):
    name, is_sampled, deals_per_batch, slowness = "sampled", True, 7, "it thinks"
    is_closed = False

    def sample_policies(self, states, seed):
        return self.policies(states)

    def close(self):
        type(self).is_closed = True


def test_a_master_has_what_its_base_has(files):
    folder, _, experts = files
    base = Sampled()
    own = MasterStrategy("own", base, experts)
    assert (own.is_sampled, own.deals_per_batch, own.slowness) == (True, 7, "it thinks")
    states = list(states_of(LEDUC3))[:40]
    for policy, state in zip(own.sample_policies(states, 3), states, strict=True):
        is_expert = experts.segment_at(state) is not None
        [expected] = (experts if is_expert else base).policies([state])
        np.testing.assert_array_equal(policy.probabilities, expected.probabilities)
    own.close()
    assert Sampled.is_closed
    with pytest.raises(ConfigError, match="acpc"):  # a program is not started anew for every hand
        ng.match(
            f"master:acpc:/bin/cat+{folder}/experts.safetensors",
            "always-call",
            "always-call",
            game=LEDUC3,
            match_hands=1,
        )


def test_one_set_of_options_is_played_and_measured(tmp_path, files):
    folder, _, _ = files
    for prefix in ("rf", "crf"):
        never_reached(prefix).save(tmp_path / f"{prefix}.safetensors")
    bot = parse_bot(f"master:{folder}/base.safetensors(fallback=call)+{tmp_path}/rf.safetensors")
    state = LEDUC3.root().act(LEDUC3.root().legal.max_raise_to).act(-1)
    [policy] = load(bot, LEDUC3).policies([state])
    assert policy.probabilities[0][policy.moves.index(0)] == 1.0
    agent = load_agent(bot, LEDUC3)
    agent.start_match(LEDUC3)
    for deal in range(50):
        agent.start_hand(state.seat, np.random.Generator(np.random.Philox(key=[deal, 1])))
        assert agent.act(View(state, state.seat, (LEDUC3.deck[0],))) == 0
    with pytest.raises(ConfigError, match="played with the options of their base; give them there"):
        load(parse_bot(f"master:{folder}/base.safetensors+{tmp_path}/rf.safetensors(fallback=call)"), LEDUC3)
    mixed = f"master:always-call+{tmp_path}/rf.safetensors(fallback=call)+{tmp_path}/crf.safetensors"
    with pytest.raises(ConfigError, match="its experts have different options"):
        load(parse_bot(mixed), LEDUC3)


def test_what_is_grafted_keeps_its_precision(tmp_path, files):
    folder, base, _ = files
    expert("rf", seed=2).save(tmp_path / "small.safetensors", is_quantised=True)
    ng.graft(folder / "base.safetensors", tmp_path / "small.safetensors", output=tmp_path / "both.safetensors")
    first, second = load_abstract_strategy(tmp_path / "both.safetensors").segments
    assert {table.dtype for table in first.tables} == {np.dtype(np.float32)}
    assert {table.dtype for table in second.tables} == {np.dtype(np.uint8)}
    np.testing.assert_array_equal(first.tables[0], base.tables[0])


def test_the_prefix_that_was_really_bet_comes_first():
    """Whichever expert is grafted first, none takes another's raise for its own."""
    rules = sized_rules(3)
    base = random_abstract_strategy(abstract_game(rules, "1,a"), seed=1)
    experts = expert("r350f", rules, seed=2, betting="1,a"), expert("r225f", rules, seed=3, betting="0.5,1,a")
    state = rules.root().act(225).act(-1)
    for order in (experts, experts[::-1]):
        assert graft(base, *order).segment_at(state).prefix_text == "r225f"


@pytest.mark.parametrize("by", ["abstract-br", "bucket-br"])
def test_what_looks_at_one_abstract_game_refuses_several(files, by):
    """They would measure the first segment, and say that it is the whole."""
    message = r"segments of several abstract games \(the whole game, rf, crf, ccrf\)"
    with pytest.raises(ConfigError, match=message):
        ng.measure(files[0] / "grafted.safetensors", by=by)
    grafted = load_abstract_strategy(files[0] / "grafted.safetensors")
    with pytest.raises(ConfigError, match=message):
        GivenAbstractStrategy(grafted)
    with pytest.raises(ConfigError, match=message):
        compare_abstract(grafted, grafted)


def test_local_best_response_knows_the_segments(files):
    """The table opponent of the engine against the same answers, asked from Python."""
    folder, _, _ = files

    class Told:
        name, is_sampled = "told", False

        def __init__(self):
            self.strategy = load_abstract_strategy(folder / "grafted.safetensors")

        def policies(self, states):
            return self.strategy.policies(states)

    bounds = [
        ng.measure(strategy, by="lbr", game=LEDUC3, deals=100, seed=2)
        for strategy in (folder / "grafted.safetensors", Told())
    ]
    assert bounds[0].estimate.mean == pytest.approx(bounds[1].estimate.mean, abs=1e-9)


def test_raises_of_other_sizes_are_taken_for_those_of_the_prefix():
    """No-limit: the expert is for a raise to 300; a real raise goes to whichever of its sizes is nearest."""
    rules = sized_rules(3)
    betting = "1,a"
    base = random_abstract_strategy(abstract_game(rules, betting), seed=1)
    pot = next(action for action in base.game.tree.abstraction.actions(rules.root()) if action > 0)
    own = expert(f"r{pot}f", rules, seed=2, betting=betting)
    grafted = graft(base, own)
    root = rules.root()
    for raise_to, is_expert in ((pot, True), (pot + 40, True), (2 * pot, True), (20_000, False), (15_000, False)):
        state = root.act(raise_to).act(-1)
        segment = grafted.segment_at(state)
        assert (segment.game is own.game) == is_expert, raise_to
    near = root.act(pot + 40).act(-1)
    [policy] = grafted.policies([near])
    [exact] = own.policies([root.act(pot).act(-1)])
    np.testing.assert_allclose(policy.probabilities.sum(axis=1), 1.0)
    np.testing.assert_allclose(policy.probabilities[:, :2], exact.probabilities[:, :2])


def test_the_text_of_a_master_is_read_and_told(files):
    folder, _, _ = files
    text = f"master:by-hand:poki+{folder}/experts.safetensors"
    bot = parse_bot(text)
    assert isinstance(bot, MasterBot) and bot.text == text
    assert bot_from_identity(bot.identity(), bot.inputs()) == bot
    assert len(bot.digest) == 16
    grafted = load(parse_bot(f"master:{folder}/base.safetensors+{folder}/experts.safetensors"), LEDUC3)
    assert isinstance(grafted, AbstractStrategy) and len(grafted.segments) == 4


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("master:poki", "must be master:BASE"),
        ("master:+{folder}/experts.safetensors", "must be master:BASE"),
        ("master:poki+{folder}/gone.safetensors", "there is no such strategy file"),
        ("master:master:poki+{folder}/experts.safetensors+{folder}/experts.safetensors", "must be master:BASE"),
    ],
)
def test_a_master_without_base_or_experts_is_refused(files, text, message):
    with pytest.raises(ConfigError, match=message):
        parse_bot(text.format(folder=files[0]))


def test_a_path_may_have_a_plus_sign(files, tmp_path):
    folder, base, experts = files
    odd = tmp_path / "a+b"
    odd.mkdir()
    base.save(odd / "base.safetensors")
    experts.save(odd / "experts.safetensors")
    text = f"master:{odd}/base.safetensors(fallback=call)+{odd}/experts.safetensors+{folder}/experts.safetensors"
    bot = parse_bot(text)
    assert bot.text == text and bot.base.path == f"{odd}/base.safetensors"
    assert [each.path for each in bot.experts] == [f"{odd}/experts.safetensors", f"{folder}/experts.safetensors"]


def test_what_does_not_go_together_is_refused(files, tmp_path):
    folder, _, experts = files
    other = random_abstract_strategy(abstract_game("kuhn2"), seed=1)
    with pytest.raises(MismatchError, match="is for leduc3, the base for kuhn2"):
        graft(other, experts)
    with pytest.raises(ConfigError, match="plays from the start of a hand"):
        ng.match(f"master:always-call+{folder}/base.safetensors", "always-call", "always-call", game=LEDUC3, deals=1)
    with pytest.raises(ConfigError, match="is an expert and needs a base to play: master:BASE"):
        ng.match(str(folder / "experts.safetensors"), "always-call", "always-call", game=LEDUC3, deals=1)
    with pytest.raises(ConfigError, match="plays from the start of a hand"):
        ng.graft(folder / "base.safetensors", folder / "base.safetensors", output=tmp_path / "no.safetensors")
    with pytest.raises(ConfigError, match="is of no abstract game and cannot be grafted"):
        ng.graft("always-call", folder / "experts.safetensors", output=tmp_path / "no.safetensors")
    other.save(tmp_path / "kuhn2.safetensors")
    with pytest.raises((MismatchError, FileFormatError), match="kuhn2"):
        ng.match(f"master:always-call+{tmp_path}/kuhn2.safetensors", "always-call", "always-call", game=LEDUC3, deals=1)
    assert not (tmp_path / "no.safetensors").exists()
