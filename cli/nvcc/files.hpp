// Text files that `bankproof nvcc` makes.
#pragma once

#include <string>

namespace bankproof::cli::nvcc {

/// Throws InputError if the file cannot be written.
void write_file(const std::string& path, const std::string& text);

/// A C++ file that any compiler of the host makes the same object of as an assembler makes of this
/// text.
std::string in_cxx(const std::string& assembly);

/// The file's bytes; none if it cannot be read.
std::string read_file(const std::string& path);

/// Adds the prerequisites of the make rule in the file `other` to the first rule in `file`. The two
/// halves of a .cu file may include different files.
void merge_rules(const std::string& file, const std::string& other);

}  // namespace bankproof::cli::nvcc
