// Text files that `bankproof nvcc` makes.
#pragma once

#include <string>

namespace bankproof::cli::nvcc {

/// Throws InputError if the file cannot be written.
void write_file(const std::string& path, const std::string& text);

/// Adds the prerequisites of the make rule in the file `other` to the first rule in `file`. The two
/// halves of a .cu file may include different files.
void merge_rules(const std::string& file, const std::string& other);

}  // namespace bankproof::cli::nvcc
