// Zeroed memory for arrays of many gigabytes: taken from the system page by page as it is touched, in huge pages where
// the system has them, since every access of a sampling solver is to a random place.
#pragma once

#include <sys/mman.h>

#include <cstdint>
#include <new>

#include "memory/huge_pages.h"

namespace nashgap {

template <typename T>
class HugeArray {
 public:
  explicit HugeArray(int64_t size) : size_(size) {
    if (size == 0) return;
    void* memory = mmap(nullptr, num_bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    advise_huge_pages(memory, num_bytes());
    data_ = static_cast<T*>(memory);
  }
  ~HugeArray() {
    if (data_ != nullptr) munmap(data_, num_bytes());
  }
  HugeArray(const HugeArray&) = delete;
  HugeArray& operator=(const HugeArray&) = delete;

  T* data() { return data_; }
  const T* data() const { return data_; }
  int64_t size() const { return size_; }

 private:
  size_t num_bytes() const { return static_cast<size_t>(size_) * sizeof(T); }

  int64_t size_;
  T* data_ = nullptr;
};

}  // namespace nashgap
