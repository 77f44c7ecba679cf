#include "measure/asked_opponent.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace nashgap {

double AskedAnswer::chance(const double* row, Action action) const {
  double total = 0.0;
  for (size_t i = 0; i < moves.size(); ++i)
    if (moves[i].low <= action && action <= moves[i].high) total += row[i] / (moves[i].high - moves[i].low + 1.0);
  return total;
}

void AskedOpponent::require_game(const Rules& rules) const {
  if (rules != *rules_) throw std::invalid_argument("an opponent is asked about another game");
}

void AskedOpponent::start_hand(const HandName& hand) {
  hand_ = hand;
  hand_key_ = is_sampled_ ? std::to_string(hand.deal) + ' ' + std::to_string(hand.seating) + ' ' : "";
}

const AskedAnswer* AskedOpponent::find(const Situation& situation) {
  std::string key = hand_key_;
  for (const PastAction& past : situation.history) append_action(*rules_, past.action, key);
  key += '|';
  key.append(reinterpret_cast<const char*>(situation.board), situation.num_board_cards);
  if (const auto found = recent_.find(key); found != recent_.end()) return &found->second;
  if (auto found = older_.extract(key); !found.empty()) {
    recent_bytes_ += found.mapped().num_bytes();
    return &recent_.insert(std::move(found)).position->second;
  }
  if (is_missing_.insert(key).second) {
    PublicState state(rules_);
    int num_dealt = 0;
    const auto deal = [&] {
      const int missing = state.num_missing_cards();
      if (missing > 0) state = state.deal({situation.board + num_dealt, situation.board + num_dealt + missing});
      num_dealt += std::max(missing, 0);
    };
    for (const PastAction& past : situation.history) {
      deal();
      state = state.act(past.action);
    }
    deal();
    missing_.push_back(std::move(state));
    missing_keys_.push_back(std::move(key));
    missing_hands_.emplace_back(hand_.deal, hand_.seating);
  }
  return nullptr;
}

bool AskedOpponent::act(const Situation& situation, Philox& random, Action& action) {
  const AskedAnswer* answer = find(situation);
  if (answer == nullptr) return false;
  const auto& table = answer->played.empty() ? answer->believed : answer->played;
  const double* row = answer->row(table, rules_->hand_place(situation.hole_cards));
  double left = random.uniform();
  size_t chosen = 0;
  for (size_t i = 0; i < answer->moves.size(); ++i) {
    if (row[i] == 0.0) continue;
    chosen = i;
    left -= row[i];
    if (left < 0.0) break;
  }
  const MoveRange& move = answer->moves[chosen];
  action = move.low;
  if (move.high > move.low) action += static_cast<Action>(random.below(move.high - move.low + 1));
  return true;
}

bool AskedOpponent::observe(const Situation& situation, Action action, double* weights, int num_hands) {
  const AskedAnswer* answer = find(situation);
  if (answer == nullptr) return false;
  const auto chance = [&](int hand) { return answer->chance(answer->row(answer->believed, hand), action); };
  double total = 0.0;
  for (int hand = 0; hand < num_hands; ++hand)
    if (weights[hand] > 0.0) total += weights[hand] * chance(hand);
  if (total > 0.0)
    for (int hand = 0; hand < num_hands; ++hand)
      if (weights[hand] > 0.0) weights[hand] *= chance(hand);
  return true;
}

bool AskedOpponent::fold_sums(const Situation& situation, RangeSums& sums) {
  sums = {};
  const AskedAnswer* answer = find(situation);
  if (answer == nullptr) return false;
  for (int hand = 0; hand < range_.num_hands; ++hand) {
    if (range_.weights[hand] == 0.0) continue;
    const double fold = answer->chance(answer->row(answer->believed, hand), kFold);
    sums.mass += range_.weights[hand] * fold;
    sums.winning += range_.winning[hand] * fold;
  }
  return true;
}

bool AskedOpponent::raise_sums(const Situation& situation, std::vector<RaiseSums>& raises) {
  raises.clear();
  const AskedAnswer* answer = find(situation);
  if (answer == nullptr) return false;
  for (size_t i = 0; i < answer->moves.size(); ++i) {
    const MoveRange& move = answer->moves[i];
    if (move.low <= kCall) continue;
    RangeSums sums;
    for (int hand = 0; hand < range_.num_hands; ++hand) {
      if (range_.weights[hand] == 0.0) continue;
      const double chance = answer->row(answer->believed, hand)[i];
      sums.mass += range_.weights[hand] * chance;
      sums.winning += range_.winning[hand] * chance;
    }
    add_raise(move.low + (move.high - move.low) / 2, sums, raises);
  }
  return true;
}

bool AskedOpponent::policy(const Situation& situation, HandPolicy& policy) {
  policy.clear();
  const AskedAnswer* answer = find(situation);
  if (answer == nullptr) return false;
  const bool is_blind = answer->believed.size() == answer->moves.size();
  const int num_hands = is_blind ? 1 : rules_->num_private_hands();
  for (size_t i = 0; i < answer->moves.size(); ++i) {
    std::vector<double>& chances = policy.add(answer->moves[i], num_hands);
    for (int hand = 0; hand < num_hands; ++hand) chances[hand] = answer->row(answer->believed, hand)[i];
  }
  return true;
}

bool AskedOpponent::answers(const Situation& situation, bool has_raises, AnswerLanes& lanes,
                            std::vector<AnswerPart>& parts) {
  parts.clear();
  const AskedAnswer* answer = find(situation);
  if (answer == nullptr) return false;
  for (size_t i = 0; i < answer->moves.size(); ++i) {
    const MoveRange& move = answer->moves[i];
    if (move.low == kCall || (move.low > kCall && !has_raises)) continue;
    const Action action = move.low + (move.high - move.low) / 2;
    if (answer->believed.size() == answer->moves.size()) {
      if (answer->believed[i] > 0.0) parts.push_back({action, AnswerPart::kEveryHand, answer->believed[i]});
      continue;
    }
    double* chances = lanes.add();
    for (int hand = 0; hand < rules_->num_private_hands(); ++hand)
      chances[hand] = answer->row(answer->believed, hand)[i];
    parts.push_back({action, lanes.size() - 1, 1.0});
  }
  return true;
}

void AskedOpponent::tell(std::vector<AskedAnswer> answers) {
  if (recent_bytes_ > most_bytes_ / 2) {
    older_ = std::exchange(recent_, {});
    recent_bytes_ = 0;
  }
  for (size_t i = 0; i < answers.size(); ++i) {
    recent_bytes_ += answers[i].num_bytes();
    recent_.insert_or_assign(std::move(missing_keys_[i]), std::move(answers[i]));
  }
  num_told_ += static_cast<int64_t>(answers.size());
  missing_.clear();
  missing_keys_.clear();
  missing_hands_.clear();
  is_missing_.clear();
}

}  // namespace nashgap
