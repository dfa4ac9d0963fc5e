// Refuses permutations whose values do not fit the memory, and says how much they need.
//
// Example: "identity:1099511627776: 1099511627776 elements need 8.0 TiB of memory, more than the
// 62.8 GiB of this machine".
#pragma once

#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>

namespace bankproof::cli {

/// The size of the machine's memory. If a program allocates more than that, Linux promises the
/// memory, and kills the process later.
std::uint64_t physical_memory();

/// For example "512 bytes", "8.0 TiB".
std::string size_text(std::uint64_t bytes);

/// Throws InputError when `elements` elements exceed the physical memory.
void require_memory(const std::string& name, std::uint64_t elements, std::uint64_t element_bytes);

/// Throws InputError: `elements` elements could not be allocated.
[[noreturn]] void refuse_for_memory(const std::string& name, std::uint64_t elements,
                                    std::uint64_t element_bytes);

/// Throws InputError: `name` needs too much memory. The message names no amount.
[[noreturn]] void refuse_for_memory(const std::string& name);

/// Returns act(). When act() runs out of memory, calls out_of_memory(), which should throw. If
/// out_of_memory() returns, throws std::bad_alloc.
template <class Act, class Refuse>
auto within_memory(const Act& act, const Refuse& out_of_memory) {
  try {
    return act();
  } catch (const std::bad_alloc&) {
    out_of_memory();
  } catch (const std::length_error&) {
    out_of_memory();
  }
  throw std::bad_alloc();
}

}  // namespace bankproof::cli
