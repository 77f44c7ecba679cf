#include "abstraction/bucket_memo.h"

#include <algorithm>

namespace nashgap {

void BucketMemo::start_deal(const uint8_t* hole_cards, const uint8_t* board) {
  hole_cards_ = hole_cards;
  board_ = board;
  dealt_board_ = next_board_;
  num_placed_ = next_board_.cards == board ? rules_.num_rounds : 0;
  for (View& view : views_) view.num_known.fill(0);
}

void BucketMemo::prefetch(const uint8_t* hole_cards, const uint8_t* board) {
  if (views_.empty()) return;
  const int last_round = rules_.num_rounds - 1;
  next_board_ = views_[0].abstraction->deal_board(board, last_round);
  for (const View& view : views_)
    for (int seat = 0; seat < rules_.num_seats; ++seat)
      view.abstraction->prefetch(hand_of(hole_cards, seat), next_board_, last_round);
}

int32_t BucketMemo::bucket(const CardAbstraction& abstraction, int seat, int round) {
  View& view = view_of(abstraction);
  if (view.num_known[seat] <= round) find(view, seat, round);
  return view.buckets[seat][round];
}

BucketMemo::View& BucketMemo::view_of(const CardAbstraction& abstraction) {
  const auto found = std::ranges::find(views_, &abstraction, &View::abstraction);
  if (found != views_.end()) return *found;
  return views_.emplace_back(View{&abstraction, {}, {}});
}

// Most hands end in the first round; of the others all rounds are found at once.
void BucketMemo::find(View& view, int seat, int round) {
  const int last_round = round == 0 ? 0 : rules_.num_rounds - 1;
  if (num_placed_ <= last_round) {
    dealt_board_ = view.abstraction->deal_board(board_, last_round);
    num_placed_ = last_round + 1;
  }
  view.abstraction->hand_buckets(hand_of(hole_cards_, seat), dealt_board_, last_round, view.buckets[seat].data());
  view.num_known[seat] = last_round + 1;
}

}  // namespace nashgap
