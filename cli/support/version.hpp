// The version of the program, for --version and for reports that name the tool that wrote them.
#pragma once

#include <string_view>

namespace bankproof::cli {

std::string_view version();

}  // namespace bankproof::cli
