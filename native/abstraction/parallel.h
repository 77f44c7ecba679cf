// Independent pieces of work, shared out among threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <type_traits>
#include <vector>

namespace nashgap {

// Calls work(i), or work(i, thread), once for each 0 <= i < num_items, in no order, from so many threads. work must not
// throw.
template <typename Work>
void for_each_item(int64_t num_items, int num_threads, const Work& work) {
  std::atomic<int64_t> next = 0;
  const auto run = [&](int thread) {
    for (int64_t item = next++; item < num_items; item = next++) {
      if constexpr (std::is_invocable_v<Work, int64_t, int>)
        work(item, thread);
      else
        work(item);
    }
  };
  std::vector<std::jthread> threads;
  for (int i = 1; i < num_threads && i < num_items; ++i) threads.emplace_back(run, i);
  run(0);
}

}  // namespace nashgap
