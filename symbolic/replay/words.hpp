// Launches as words for `bankproof kernel`.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "replay.hpp"

namespace bankproof::symbolic {

/// The options and arguments that launch the kernel in the same way. The variables of its module
/// begin with the same contents as the buffers.
std::vector<std::string> words_of(const Launch& launch, Contents contents,
                                  const std::vector<const ptx::Variable*>& variables,
                                  const ptx::Function& kernel);

/// What variables of so many bytes begin with, and buffers, as an argument says it: "u32:4=iota".
/// They consist of numbers of `unit` bytes.
std::string contents_as_word(std::uint64_t bytes, Contents contents, std::uint32_t unit = 4);
std::vector<std::byte> contents_as_bytes(std::uint64_t bytes, Contents contents,
                                         std::uint32_t unit = 4);
inline std::vector<std::byte> contents_of(const LaunchBuffer& buffer, Contents contents) {
  return contents_as_bytes(buffer.bytes, contents, buffer.unit);
}

/// Whether a variable that nobody writes has these contents.
bool has_already(const ptx::Variable& variable, Contents contents);

/// The variables of the module that a host can have written: those that have no initial values, and
/// those that are `overwritten`, by their mangled names.
std::vector<const ptx::Variable*> written_by_hosts(const ptx::Module& module,
                                                   const std::set<std::string>& overwritten);

}  // namespace bankproof::symbolic
