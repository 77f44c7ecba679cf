// Independent pieces of work, shared out among threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace nashgap {

// Threads that have all ended when it does. (Not every library has std::jthread yet.)
class Threads {
 public:
  Threads() = default;
  ~Threads() {
    for (std::thread& thread : threads_) thread.join();
  }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  template <typename... Work>
  void start(Work&&... work) {
    threads_.emplace_back(std::forward<Work>(work)...);
  }

 private:
  std::vector<std::thread> threads_;
};

// Calls work(thread) once in each of so many threads, this one among them. What one of them throws, such as for want of
// memory, is thrown here when all have come to an end.
template <typename Work>
void in_threads(int64_t num_threads, const Work& work) {
  std::exception_ptr thrown;
  std::mutex mutex;
  const auto run = [&](int thread) {
    try {
      work(thread);
    } catch (...) {
      const std::lock_guard lock(mutex);
      thrown = std::current_exception();
    }
  };
  {
    Threads threads;
    for (int thread = 1; thread < num_threads; ++thread) threads.start(run, thread);
    run(0);
  }
  if (thrown) std::rethrow_exception(thrown);
}

// Calls work(i), or work(i, thread), once for each 0 <= i < num_items, in no order, from so many threads.
template <typename Work>
void for_each_item(int64_t num_items, int num_threads, const Work& work) {
  std::atomic<int64_t> next = 0;
  in_threads(std::min<int64_t>(num_threads, num_items), [&](int thread) {
    for (int64_t item = next++; item < num_items; item = next++) {
      if constexpr (std::is_invocable_v<Work, int64_t, int>)
        work(item, thread);
      else
        work(item);
    }
  });
}

}  // namespace nashgap
