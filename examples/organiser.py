"""A competition organiser's day: a duplicate tournament, its cross-table, both rankings and how sure they are.

    python examples/organiser.py [FOLDER]

The agents are those of chumps.toml beside this file; a strategy file or exec:COMMAND could stand there as well.
"""

import sys
from pathlib import Path

import nashgap as ng

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "organiser")
folder.mkdir(parents=True, exist_ok=True)

# A run can be stopped at any moment, killed included; the same call continues it.
result = ng.tournament(Path(__file__).with_name("chumps.toml"), run=folder / "runs", workers=1)
print(result)
print(result.cross_table)
result.save_report(folder / "tournament.html")

# Rankings of any cross-table, as a file of other programs has it: here the one that the run has written.
standings = ng.rank(result.cross_table_path, unit=result.cross_table.unit)
print("by bankroll:", ", ".join(standings.bankroll.players))
print("by run-off: ", ", ".join(standings.runoff.players))

# One matchup once more, with the hands as the competition's logs have them, and the logs recomputed.
match = ng.match("always-call", "probe", "random", game="lhe3", deals=100, log=folder / "logs")
for path in match.log_paths[:1]:
    print(ng.acpc.check_log(path, "lhe3"))
