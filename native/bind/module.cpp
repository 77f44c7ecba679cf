// The compiled module `nashgap._native`. Each bind_ function checks sizes, releases the GIL and calls; nothing else.
#include <nanobind/nanobind.h>

namespace nashgap {
void bind_abstraction(nanobind::module_& m);
void bind_abstract_game(nanobind::module_& m);
void bind_agents(nanobind::module_& m);
void bind_aivat(nanobind::module_& m);
void bind_arena(nanobind::module_& m);
void bind_betting_tree(nanobind::module_& m);
void bind_explain(nanobind::module_& m);
void bind_full_response(nanobind::module_& m);
void bind_player_session(nanobind::module_& m);
void bind_poker(nanobind::module_& m);
void bind_poker_mccfr(nanobind::module_& m);
void bind_cards(nanobind::module_& m);
void bind_measure(nanobind::module_& m);
void bind_range_cfr(nanobind::module_& m);
void bind_ranges(nanobind::module_& m);
void bind_random(nanobind::module_& m);
void bind_search(nanobind::module_& m);
void bind_strategies(nanobind::module_& m);
void bind_tree(nanobind::module_& m);
}  // namespace nashgap

NB_MODULE(_native, m) {
  m.doc() = "Native kernels of NashGap. Private: use the Python modules.";
  nanobind::set_leak_warnings(false);  // a tree that a user keeps until exit is no mistake
  nashgap::bind_arena(m);
  nashgap::bind_agents(m);
  nashgap::bind_poker(m);
  nashgap::bind_player_session(m);
  nashgap::bind_betting_tree(m);
  nashgap::bind_cards(m);
  nashgap::bind_ranges(m);
  nashgap::bind_random(m);
  nashgap::bind_tree(m);
  nashgap::bind_abstraction(m);
  nashgap::bind_abstract_game(m);
  nashgap::bind_strategies(m);
  nashgap::bind_poker_mccfr(m);
  nashgap::bind_range_cfr(m);
  nashgap::bind_measure(m);
  nashgap::bind_full_response(m);
  nashgap::bind_aivat(m);
  nashgap::bind_search(m);
  nashgap::bind_explain(m);
}
