// What buffers hold before the first launch and after the last one.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "request.hpp"

namespace bankproof::cli {

/// The bytes that a buffer begins with, none for an undefined one; sets the dimensions that the
/// description leaves to a file. Throws InputError.
std::vector<std::byte> initial_contents(RequestedBuffer& buffer);

/// The bytes of a struct by value. Throws InputError.
std::vector<std::byte> contents_of(const cuda::BytesArgument& argument);

/// Writes an .npy file. Throws InputError.
void save_buffer(const RequestedBuffer& buffer, std::span<const std::byte> bytes,
                 const std::string& file);

}  // namespace bankproof::cli
