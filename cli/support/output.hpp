// Writes a command's data to standard output, checking every write, or to a file. Afterwards the
// file holds all of the data, or is as it was before.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bankproof::cli {

/// Writes a command's whole output.
///
/// An empty path and "-" mean standard output. A regular file, or one that does not exist yet, is
/// replaced in one step (a temporary file beside it, then rename); a symbolic link is followed.
/// Anything else that exists (a device, a FIFO) is written to directly. On failure an earlier file
/// keeps its content and no temporary file stays behind. Throws InputError; if nobody reads
/// standard output any more, that error is a ReaderGone.
void write_output(const std::string& path, std::string_view content);

/// Throws InputError if write_output to this path would surely fail; changes nothing. For commands
/// that work for a long time before they write.
void require_writable(const std::string& path);

/// Throws UsageError when the output is the file that is read, by whatever name or link. Paths are
/// as on the command line: "-" is standard input or output, and an empty output is standard output.
void refuse_input_as_output(const std::string& input, const std::string& output);

/// Throws UsageError when two of the outputs are one file, by whatever path or link. The last
/// output is the report, which goes to standard output if its path is empty; other empty paths mean
/// no output.
void require_different_files(const std::vector<std::string>& outputs);

/// Writes to an open file descriptor until done; returns 0 or the errno that stopped it.
int write_all(int descriptor, std::string_view content);

}  // namespace bankproof::cli
