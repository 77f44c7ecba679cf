#include "agents/chump.h"

namespace nashgap {

namespace {

Action uniform_raise(const LegalActions& legal, Philox& random) {
  const auto num_sizes = static_cast<uint64_t>(legal.max_raise_to - legal.min_raise_to + 1);
  return legal.min_raise_to + static_cast<Action>(random.below(num_sizes));
}

}  // namespace

Action Triple::act(const Situation& situation, Philox& random) {
  const LegalActions legal = situation.betting.legal(situation.rules);
  const double draw = random.uniform();
  if (draw < fold_) return legal.can_fold ? kFold : kCall;
  if (draw < fold_or_call_ || legal.max_raise_to == 0) return kCall;
  return size_ == RaiseSize::kPot ? situation.betting.pot_raise(situation.rules) : uniform_raise(legal, random);
}

Action UniformRandom::act(const Situation& situation, Philox& random) {
  const LegalActions legal = situation.betting.legal(situation.rules);
  const uint64_t num_raises = legal.max_raise_to > 0 ? legal.max_raise_to - legal.min_raise_to + 1 : 0;
  const uint64_t choice = random.below(num_raises + 1 + legal.can_fold);
  if (choice < num_raises) return legal.min_raise_to + static_cast<Action>(choice);
  return choice == num_raises ? kCall : kFold;
}

}  // namespace nashgap
