// Zeroed memory for arrays of many gigabytes: taken from the system page by page as it is touched, in huge pages where
// the system has them, since every access of a sampling solver is to a random place.
#pragma once

#include <cstddef>
#include <cstdint>

#include "memory/pages.h"

namespace nashgap {

template <typename T>
class HugeArray {
 public:
  explicit HugeArray(int64_t size) : size_(size) {
    if (size > 0) data_ = static_cast<T*>(take_pages(num_bytes()));
  }
  ~HugeArray() {
    if (data_ != nullptr) give_back_pages(data_, num_bytes());
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
