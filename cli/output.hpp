// Where a command's data goes: standard output, checked, or a file that is there whole or not at
// all.
#pragma once

#include <string>
#include <string_view>

namespace bankproof::cli {

/// Writes a command's whole output.
///
/// An empty path is standard output. A path to a regular file, or to none yet, is replaced in one
/// step (a temporary file beside it, then rename); a symbolic link is followed. Anything else that
/// exists (a device, a FIFO) is written to directly. On failure an earlier file is as it was and no
/// temporary is left. Throws InputError.
void write_output(const std::string& path, std::string_view content);

/// Writes to an open file descriptor until done; returns 0 or the errno that stopped it.
int write_all(int descriptor, std::string_view content);

}  // namespace bankproof::cli
