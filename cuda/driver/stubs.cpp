// The functions of the driver API that do nothing here, and those that fail; see functions.def. And
// the table of all functions.
//
// Their arguments do not matter, so this file declares them without any, and includes no header of
// CUDA's.
#include <iterator>

#include "../runtime/refuse.hpp"
#include "table.hpp"

extern "C" {
// NOLINTBEGIN(readability-identifier-naming): CUDA's names.
#define implemented(name) int name();
#define accepted(name, why) \
  int name() { return 0; }
#define refused(name, why) \
  int name() { return bankproof::cuda::refuse_without_last_error(#name, why); }
#include "functions.def"
#undef implemented
#undef accepted
#undef refused

#define implemented(name) {#name, reinterpret_cast<void (*)()>(&(name))},
#define accepted(name, why) implemented(name)
#define refused(name, why) implemented(name)
const bankproof::cuda::driver::DriverFunction bankproof_driver_functions[] = {
#include "functions.def"
};
const unsigned bankproof_driver_function_count =
    static_cast<unsigned>(std::size(bankproof_driver_functions));
// NOLINTEND(readability-identifier-naming)
}
