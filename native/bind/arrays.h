// Array types of the boundary: contiguous, on the CPU, at addresses that fit their type, never converted.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <string>
#include <utility>

namespace nashgap {

namespace nb = nanobind;

template <typename T>
struct Array : nb::ndarray<T, nb::c_contig, nb::device::cpu> {
  using Plain = nb::ndarray<T, nb::c_contig, nb::device::cpu>;

  Array() = default;
  explicit Array(Plain&& array) : Plain(std::move(array)) {}
};

template <typename T>
void require_size(const Array<T>& array, int64_t size, const char* name) {
  if (static_cast<int64_t>(array.size()) != size) {
    const std::string message = std::string(name) + " has " + std::to_string(array.size()) + " entries, expected " +
                                std::to_string(size);
    throw nb::value_error(message.c_str());
  }
}

}  // namespace nashgap

// Numpy has arrays whose entries lie anywhere, such as views of records; loops over several entries at once do not take
// them.
template <typename T>
struct nanobind::detail::type_caster<nashgap::Array<T>> {
  using Plain = make_caster<typename nashgap::Array<T>::Plain>;
  NB_TYPE_CASTER(nashgap::Array<T>, Plain::Name)

  bool from_python(handle source, uint32_t flags, cleanup_list* cleanup) noexcept {
    Plain plain;
    if (!plain.from_python(source, flags, cleanup)) return false;
    if (plain.value.is_valid() && reinterpret_cast<uintptr_t>(plain.value.data()) % alignof(T) != 0) return false;
    value = nashgap::Array<T>(std::move(plain.value));
    return true;
  }
  static handle from_cpp(const nashgap::Array<T>& array, rv_policy policy, cleanup_list* cleanup) noexcept {
    return Plain::from_cpp(array, policy, cleanup);
  }
};
