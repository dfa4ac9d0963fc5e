// The contents of buffers before the first launch, and how to save them after the last.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "request.hpp"

namespace bankproof::cli {

/// The initial bytes of a buffer; empty if the buffer begins undefined. If the contents come from a
/// file, sets the dimensions of the buffer to those of the file. Throws InputError.
std::vector<std::byte> initial_contents(RequestedBuffer& buffer);

/// The bytes of a struct that is passed by value. Throws InputError.
std::vector<std::byte> contents_of(const cuda::BytesArgument& argument);

/// Writes the buffer to an .npy file. Throws InputError.
void save_buffer(const RequestedBuffer& buffer, std::span<const std::byte> bytes,
                 const std::string& file);

}  // namespace bankproof::cli
