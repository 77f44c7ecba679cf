#include "measure/lbr_batch.h"

#include <numeric>
#include <optional>
#include <utility>

namespace nashgap {

namespace {

std::vector<RangedOpponent*> pointers(const std::vector<std::shared_ptr<RangedOpponent>>& opponents) {
  std::vector<RangedOpponent*> all;
  for (const auto& opponent : opponents) all.push_back(opponent.get());
  return all;
}

}  // namespace

LbrBatch::LbrBatch(std::shared_ptr<const Rules> rules, LbrOptions options,
                   std::vector<std::shared_ptr<RangedOpponent>> opponents,
                   std::shared_ptr<const PreflopChances> preflop, std::vector<int8_t> seatings, uint64_t seed,
                   uint64_t first_deal, int64_t num_deals, bool is_duplicate, bool has_lines, Boards boards)
    : rules_(std::move(rules)),
      opponents_(std::move(opponents)),
      response_(rules_, std::move(options), pointers(opponents_), std::move(preflop)),
      seatings_(std::move(seatings)),
      num_seatings_(static_cast<int64_t>(seatings_.size()) / rules_->num_seats),
      seed_(seed),
      first_deal_(first_deal),
      is_duplicate_(is_duplicate),
      has_lines_(has_lines),
      boards_(std::move(boards)),
      hands_(num_deals * (is_duplicate ? num_seatings_ : 1)),
      lines_(has_lines ? hands_.size() : 0),
      open_(hands_.size()) {
  std::iota(open_.begin(), open_.end(), 0);
}

bool LbrBatch::advance() {
  const std::vector<uint8_t> deck = rules_->deck();
  std::vector<uint8_t> cards(rules_->num_seats * rules_->num_hole_cards + rules_->total_board_cards());
  std::optional<uint64_t> dealt;
  std::erase_if(open_, [&](int64_t number) {
    const uint64_t deal = first_deal_ + (is_duplicate_ ? number / num_seatings_ : number);
    const uint64_t seating = (is_duplicate_ ? number : deal) % num_seatings_;
    if (!dealt || *dealt != deal) {
      if (boards_.empty())
        deal_cards(*rules_, deck, seed_, deal, cards.data());
      else
        deal_cards_beside(*rules_, deck, boards_, seed_, deal, cards.data());
    }
    dealt = deal;
    std::string* line = has_lines_ ? &lines_[number] : nullptr;
    if (line) line->clear();
    const int64_t num_before = response_.num_queries();
    const DealName name{seed_, deal, seating};
    if (!response_.play(seatings_.data() + seating * rules_->num_seats, cards.data(), name, hands_[number], line))
      return false;
    num_queries_ += response_.num_queries() - num_before;
    return true;
  });
  return open_.empty();
}

}  // namespace nashgap
