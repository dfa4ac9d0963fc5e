// The parser's part for the body of a function.
#pragma once

#include <vector>

#include "cursor.hpp"
#include "syntax.hpp"

namespace bankproof::ptx {

/// From the opening to the closing brace. Names are not resolved yet.
void parse_body(Cursor& cursor, Function& function, std::vector<SourceFile>& files);
/// `.file 1 "tile.cu"`, with a time and a size behind it or not.
SourceFile parse_file(Cursor& cursor);

}  // namespace bankproof::ptx
