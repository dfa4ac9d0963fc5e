// See majors.hpp.
#include "majors.hpp"

namespace bankproof::cuda {

// The libraries of other majors have another definition.
[[gnu::weak]] int version() { return 13000; }

}  // namespace bankproof::cuda
