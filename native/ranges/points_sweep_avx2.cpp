// Compiled for machines with AVX2, see CMakeLists.txt.
#include "ranges/points_sweep_inl.h"

namespace nashgap {

extern const AddPoints kWidePoints[2] = {kAddPoints[0], kAddPoints[1]};

}  // namespace nashgap
