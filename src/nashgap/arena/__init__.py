"""Where agents meet: tables of results, rankings, matches and tournaments."""
