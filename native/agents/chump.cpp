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
  switch (size_) {
    case ChumpSize::kPot: return situation.betting.pot_raise(situation.rules);
    case ChumpSize::kUniform: return uniform_raise(legal, random);
    case ChumpSize::kAllIn: return legal.max_raise_to;
  }
  return kCall;
}

double Triple::fold_probability(const Situation& situation) const {
  return situation.betting.legal(situation.rules).can_fold ? fold_ : 0.0;
}

BlindRaise Triple::raise(const Situation& situation) const {
  const LegalActions legal = situation.betting.legal(situation.rules);
  if (legal.max_raise_to == 0) return {kCall, kCall, 0.0};
  const double chance = 1.0 - fold_or_call_;
  if (size_ == ChumpSize::kUniform) return {legal.min_raise_to, legal.max_raise_to, chance};
  const Action raise_to = size_ == ChumpSize::kPot ? situation.betting.pot_raise(situation.rules) : legal.max_raise_to;
  return {raise_to, raise_to, chance};
}

Action UniformRandom::act(const Situation& situation, Philox& random) {
  const LegalActions legal = situation.betting.legal(situation.rules);
  const uint64_t raises = num_raises(legal);
  const uint64_t choice = random.below(raises + 1 + legal.can_fold);
  if (choice < raises)
    return has_sizes_ ? legal.min_raise_to + static_cast<Action>(choice) : uniform_raise(legal, random);
  return choice == raises ? kCall : kFold;
}

double UniformRandom::fold_probability(const Situation& situation) const {
  const LegalActions legal = situation.betting.legal(situation.rules);
  return legal.can_fold ? 1.0 / static_cast<double>(num_raises(legal) + 2) : 0.0;
}

BlindRaise UniformRandom::raise(const Situation& situation) const {
  const LegalActions legal = situation.betting.legal(situation.rules);
  const double raises = static_cast<double>(num_raises(legal));
  return {legal.min_raise_to, legal.max_raise_to, raises / (raises + 1.0 + legal.can_fold)};
}

uint64_t UniformRandom::num_raises(const LegalActions& legal) const {
  if (legal.max_raise_to == 0) return 0;
  return has_sizes_ ? legal.max_raise_to - legal.min_raise_to + 1 : 1;
}

}  // namespace nashgap
