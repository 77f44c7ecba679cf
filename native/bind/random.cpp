#include "random/philox.h"

#include "bind/arrays.h"

namespace nashgap {

using namespace nb::literals;

void bind_random(nb::module_& m) {
  m.def(
      "philox",
      [](uint64_t seed, uint64_t purpose, uint64_t iteration, uint64_t lane, Array<uint64_t> out) {
        nb::gil_scoped_release release;
        Philox stream(seed, purpose, iteration, lane);
        for (size_t k = 0; k < out.size(); ++k) out.data()[k] = stream.next();
      },
      "seed"_a, "purpose"_a, "iteration"_a, "lane"_a, "out"_a.noconvert());
}

}  // namespace nashgap
