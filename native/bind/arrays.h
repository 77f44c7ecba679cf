// Array types of the boundary: contiguous, on the CPU, never converted.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <string>

namespace nashgap {

namespace nb = nanobind;

template <typename T>
using Array = nb::ndarray<T, nb::c_contig, nb::device::cpu>;

template <typename T>
void require_size(const Array<T>& array, int64_t size, const char* name) {
  if (static_cast<int64_t>(array.size()) != size) {
    const std::string message = std::string(name) + " has " + std::to_string(array.size()) + " entries, expected " +
                                std::to_string(size);
    throw nb::value_error(message.c_str());
  }
}

}  // namespace nashgap
