"""Solvers by the names of the catalogue."""

import pytest

from nashgap.errors import ConfigError
from nashgap.games.compiled import load_tree
from nashgap.solvers.cfr import CFR
from nashgap.solvers.mccfr import MCCFR
from nashgap.solvers.named import make_solver
from nashgap.solvers.samplings import SAMPLINGS
from nashgap.solvers.schedules import SCHEDULES

TREE_SAMPLINGS = {name: sampling for name, sampling in SAMPLINGS.items() if sampling.kind != "public"}


@pytest.mark.parametrize("name", SCHEDULES)
def test_schedules_make_full_width_solvers(name):
    solver = make_solver(name, load_tree("kuhn"), is_alternating=False)
    assert isinstance(solver, CFR)
    assert solver.schedule == SCHEDULES[name]
    assert not solver.is_alternating


@pytest.mark.parametrize("name", TREE_SAMPLINGS)
def test_samplings_make_sampling_solvers(name):
    solver = make_solver(name, load_tree("kuhn"), seed=6)
    assert isinstance(solver, MCCFR)
    assert (solver.sampling, solver.seed) == (TREE_SAMPLINGS[name], 6)
    with pytest.raises(ConfigError, match="simultaneous updates are for full-width CFR"):
        make_solver(name, load_tree("kuhn"), is_alternating=False)


def test_what_is_no_iterative_solver_is_refused():
    with pytest.raises(ConfigError, match="'lp' does not work in iterations"):
        make_solver("lp", load_tree("kuhn"))
    with pytest.raises(ConfigError, match="'poker-mccfr' trains by a recipe; nashgap list recipes has them"):
        make_solver("poker-mccfr", load_tree("kuhn"))
    with pytest.raises(ConfigError, match="'public'; it must be one of chance, external, outcome in a compiled game"):
        make_solver("public-chance-sampling", load_tree("kuhn"))
    with pytest.raises(ConfigError, match=r"unknown solver 'cfr\+\+' \(did you mean 'cfr\+'\?\); known: .*pdcfr"):
        make_solver("cfr++", load_tree("kuhn"))
