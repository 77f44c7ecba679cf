#include "measure/value_table.h"

#include <algorithm>

namespace nashgap {

namespace {

uint64_t mix(uint64_t x) {
  x += 0x9E3779B97F4A7C15ULL;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ x >> 27) * 0x94D049BB133111EBULL;
  return x ^ x >> 31;
}

// Of chips beside a pot.
int size_class(double chips, double pot) {
  constexpr std::array<double, 5> kSizes = {0.3, 0.7, 1.3, 2.5, 5.0};
  return static_cast<int>(std::ranges::count_if(kSizes, [&](double size) { return size * pot <= chips; }));
}

}  // namespace

void BettingKey::act(const Rules& rules, const BettingState& before, Action action) {
  int kind = action == kFold ? 0 : action == kCall ? 1 : 2;
  if (action > kCall && rules.betting != Betting::kLimit) {
    const double pot = static_cast<double>(before.pot(rules)) + before.to_call(rules);
    kind = action >= rules.stacks[before.seat()] ? 3 : 4 + size_class(action - before.max_spent(), pot);
  }
  path_ = mix(path_ ^ mix(static_cast<uint64_t>(kind) + 16ULL * before.round()));
}

uint64_t BettingKey::fine(int num_board_cards) const { return mix(path_ + static_cast<uint64_t>(num_board_cards)); }

uint64_t BettingKey::coarse(const Rules& rules, const BettingState& state, int num_board_cards) {
  uint64_t key = static_cast<uint64_t>(num_board_cards);
  for (int seat = 0; seat < rules.num_seats; ++seat) key = key << 1 | state.has_folded(seat);
  key = key << 4 | static_cast<uint64_t>(state.seat() + 1);
  key = key << 2 | static_cast<uint64_t>(std::min(state.num_raises(), 3));
  int to_call = 0;
  if (!state.is_over()) {
    const int32_t chips = state.to_call(rules);
    to_call = chips == 0 ? 0 : 1 + size_class(chips, static_cast<double>(state.pot(rules)));
  }
  return mix(key << 3 | static_cast<uint64_t>(to_call));
}

void NodeValues::shares(const ClassMass* mass, uint32_t folded, double* shares) const {
  if (num_seats == 2) {
    double share = 0.0;
    for (int first = 0; first < kNumHandClasses; ++first) {
      if (mass[0][first] == 0.0) continue;
      double row = 0.0;
      for (int second = 0; second < kNumHandClasses; ++second)
        row += mass[1][second] * cells[first * kNumHandClasses + second];
      share += mass[0][first] * row;
    }
    shares[0] = share;
    shares[1] = 1.0 - share;
    return;
  }
  std::copy_n(mean.begin(), num_seats, shares);
  for (int seat = 0; seat < num_seats; ++seat) {
    if (folded >> seat & 1) continue;
    for (int number = 0; number < kNumHandClasses; ++number) {
      if (mass[seat][number] == 0.0) continue;
      const double* cell = cells.data() + (seat * kNumHandClasses + number) * num_seats;
      for (int winner = 0; winner < num_seats; ++winner)
        shares[winner] += mass[seat][number] * (cell[winner] - mean[winner]);
    }
  }
}

void ValueTable::add(Cells& cells, const uint8_t* classes, const double* shares) {
  if (cells.count.empty()) {
    cells.count.resize(num_cells());
    cells.sums.resize(static_cast<size_t>(num_cells()) * num_shares());
  }
  const auto add_to = [&](int cell) {
    cells.count[cell] += 1.0f;
    for (int i = 0; i < num_shares(); ++i) cells.sums[cell * num_shares() + i] += shares[i];
  };
  if (rules_->num_seats == 2) return add_to(classes[0] * kNumHandClasses + classes[1]);
  for (int seat = 0; seat < rules_->num_seats; ++seat) add_to(seat * kNumHandClasses + classes[seat]);
}

void ValueTable::note(const BettingKey& key, const BettingState& state, int num_board_cards, const uint8_t* cards,
                      const double* payoffs) {
  const int num_seats = rules_->num_seats;
  const uint8_t* board = cards + num_seats * rules_->num_hole_cards;
  std::array<uint8_t, kMaxSeats> classes;
  std::array<double, kMaxSeats> shares;
  const auto pot = static_cast<double>(state.pot(*rules_));
  for (int seat = 0; seat < num_seats; ++seat) {
    classes[seat] = classes_->one(cards + seat * rules_->num_hole_cards, board, num_board_cards);
    shares[seat] = (payoffs[seat] + state.spent(seat)) / pot;
  }
  const uint64_t fine = key.fine(num_board_cards);
  if (fine_.size() < kMaxNodes || fine_.contains(fine)) add(fine_[fine], classes.data(), shares.data());
  add(coarse_[BettingKey::coarse(*rules_, state, num_board_cards)], classes.data(), shares.data());
}

void ValueTable::learn(const PublicState& hand, const uint8_t* cards, uint64_t arrangement) {
  const int num_seats = rules_->num_seats;
  const uint8_t* board = cards + num_seats * rules_->num_hole_cards;
  std::array<uint16_t, kMaxSeats> strength{};
  std::array<int64_t, kMaxSeats> won{};
  std::array<double, kMaxSeats> chips{};
  showdown_strength(*rules_, cards, board, rules_->total_board_cards(), strength.data());
  payoffs(*rules_, hand.betting().ending(), strength.data(), won.data());
  for (int seat = 0; seat < num_seats; ++seat) chips[seat] = static_cast<double>(won[seat]) / kChipShares;
  BettingKey key(arrangement);
  BettingState state(*rules_);
  int num_board_cards = 0;
  note(key, state, num_board_cards, cards, chips.data());
  for (const auto& actions : hand.history())
    for (const Action action : actions) {
      const int dealt = rules_->board_cards_by(state.round());
      if (dealt > num_board_cards) note(key, state, num_board_cards = dealt, cards, chips.data());
      key.act(*rules_, state, action);
      state.act(*rules_, action);
      if (state.num_active() > 1) note(key, state, num_board_cards, cards, chips.data());
    }
  ++num_hands_;
}

void ValueTable::find(const BettingKey& key, const BettingState& state, int num_board_cards, NodeValues& values) const {
  const int num_seats = rules_->num_seats, size = num_cells(), width = num_shares();
  values.num_seats = num_seats;
  values.cells.assign(static_cast<size_t>(size) * width, 0.0);
  std::array<double, kMaxSeats> even{};  // nothing is known: the pot is shared by who is in
  for (int seat = 0; seat < num_seats; ++seat) even[seat] = state.has_folded(seat) ? 0.0 : 1.0 / state.num_active();
  const auto draw_towards = [&](const Cells& cells, bool has_shift) {
    // How far the node as a whole is from what the coarser cells say of its hands.
    std::array<double, kMaxSeats> shift{};
    if (has_shift) {
      double count = 0.0;
      for (int cell = 0; cell < size; ++cell) {
        count += cells.count[cell];
        for (int i = 0; i < width; ++i)
          shift[i] += cells.sums[cell * width + i] - cells.count[cell] * values.cells[cell * width + i];
      }
      for (int i = 0; i < width; ++i) shift[i] /= count + kPriorHands;
    }
    for (int cell = 0; cell < size; ++cell)
      for (int i = 0; i < width; ++i) {
        double& value = values.cells[cell * width + i];
        value = (cells.sums[cell * width + i] + kPriorHands * (value + shift[i])) / (cells.count[cell] + kPriorHands);
      }
  };
  for (int cell = 0; cell < size; ++cell) std::copy_n(even.begin(), width, values.cells.begin() + cell * width);
  const auto coarse = coarse_.find(BettingKey::coarse(*rules_, state, num_board_cards));
  if (coarse != coarse_.end()) draw_towards(coarse->second, false);
  const auto fine = fine_.find(key.fine(num_board_cards));
  if (fine != fine_.end()) draw_towards(fine->second, true);
  if (num_seats == 2) return;
  // The mean over the hands that were met, or over all alike.
  const Cells* met = fine != fine_.end() ? &fine->second : coarse != coarse_.end() ? &coarse->second : nullptr;
  double total = 0.0;
  values.mean.fill(0.0);
  for (int cell = 0; cell < size; ++cell) {
    const double weight = met == nullptr ? 1.0 : met->count[cell];
    total += weight;
    for (int i = 0; i < width; ++i) values.mean[i] += weight * values.cells[cell * width + i];
  }
  for (int i = 0; i < width; ++i) values.mean[i] /= total;
}

}  // namespace nashgap
