// CMake knows the version; see version.hpp.
#include "version.hpp"

#ifndef BANKPROOF_VERSION
#define BANKPROOF_VERSION "0-unversioned"
#endif

namespace bankproof::cli {

std::string_view version() { return BANKPROOF_VERSION; }

}  // namespace bankproof::cli
