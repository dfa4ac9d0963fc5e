// Parses the body of a function.
#pragma once

#include <vector>

#include "cursor.hpp"
#include "syntax.hpp"

namespace bankproof::ptx {

/// Parses from the opening to the closing brace. Names are not resolved yet.
void parse_body(Cursor& cursor, Function& function, std::vector<SourceFile>& files);
/// Parses `.file 1 "tile.cu"`, with or without a time and a size after it.
SourceFile parse_file(Cursor& cursor);

}  // namespace bankproof::ptx
