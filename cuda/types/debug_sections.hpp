// The debug information in PTX text, as a file that libdw reads.
//
// PTX writes the sections of DWARF as text: `.section .debug_info { .b8 1,2 .b32 .debug_abbrev …
// }`. Types need only numbers and the places of strings. All other labels, which are addresses of
// code or of variables, become 0.
#pragma once

#include <string>
#include <string_view>

namespace bankproof::cuda {

/// The bytes of an ELF file with the sections .debug_info, .debug_abbrev and .debug_str of the
/// text; empty if the text has no debug information.
std::string elf_of_debug_sections(std::string_view ptx);

}  // namespace bankproof::cuda
