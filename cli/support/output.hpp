// Where a command's data goes: standard output, checked, or a file that is there whole or not at
// all.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bankproof::cli {

/// Writes a command's whole output.
///
/// An empty path and "-" are standard output. A path to a regular file, or to none yet, is replaced
/// in one step (a temporary file beside it, then rename); a symbolic link is followed. Anything
/// else that exists (a device, a FIFO) is written to directly. On failure an earlier file is as it
/// was and no temporary is left. Throws InputError, which for standard output without a reader is
/// ReaderGone.
void write_output(const std::string& path, std::string_view content);

/// Throws InputError where write_output to this path would surely fail, without changing anything:
/// for commands that take long to know what they write.
void require_writable(const std::string& path);

/// Throws UsageError when the output is the very file that is read, by whatever name or link. Paths
/// are as on the command line: "-" is standard input and output, and an empty output as well.
void refuse_input_as_output(const std::string& input, const std::string& output);

/// Throws UsageError when two of the outputs are one file, by whatever path or link; empty ones are
/// none, but for the report, which comes last and then goes to standard output.
void require_different_files(const std::vector<std::string>& outputs);

/// Writes to an open file descriptor until done; returns 0 or the errno that stopped it.
int write_all(int descriptor, std::string_view content);

}  // namespace bankproof::cli
