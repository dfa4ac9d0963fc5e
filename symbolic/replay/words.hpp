// Launches as words for `bankproof kernel`.
#pragma once

#include <string>
#include <vector>

#include "replay.hpp"

namespace bankproof::symbolic {

/// The options and arguments that launch the kernel in the same way.
std::vector<std::string> words_of(const Launch& launch, Contents contents,
                                  const ptx::Module& module, const ptx::Function& kernel);

/// What variables of so many bytes begin with, and buffers, as an argument says it: "u32:4=iota".
/// They consist of numbers of `unit` bytes.
std::string contents_as_word(std::uint64_t bytes, Contents contents, std::uint32_t unit = 4);
std::vector<std::byte> contents_as_bytes(std::uint64_t bytes, Contents contents,
                                         std::uint32_t unit = 4);
inline std::vector<std::byte> contents_of(const LaunchBuffer& buffer, Contents contents) {
  return contents_as_bytes(buffer.bytes, contents, buffer.unit);
}

/// The variables of the module that a host can have written, and that have no initial values. They
/// are 0 if buffers begin with zeros, and begin with the same as buffers otherwise.
std::vector<const ptx::Variable*> written_by_hosts(const ptx::Module& module);

}  // namespace bankproof::symbolic
