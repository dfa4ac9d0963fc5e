// The checks that calls make of their arguments before they launch anything. They throw
// std::invalid_argument; `what` names the call. They do not query the device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "../../../algorithms/layout.hpp"
#include "indices.hpp"

namespace bankproof::cuda {

[[noreturn]] inline void refuse(const char* what, const std::string& why) {
  throw std::invalid_argument(std::string(what) + ": " + why);
}

// ---- Arrays.

/// a · b. Throws if the product is more than 2^56; so all sizes in bytes, those of scratch memory
/// included, fit into a machine word.
inline std::size_t product_of(std::size_t a, std::size_t b, const char* what) {
  constexpr std::size_t most = std::size_t{1} << 56;
  if (b != 0 && a > most / b) {
    refuse(what, std::to_string(a) + " x " + std::to_string(b) + " are more than 2^56");
  }
  return a * b;
}

/// An array in device memory, and its name as an argument of the call. A call only reads an array
/// of `const` elements.
struct Argument {
  const char* name;
  const void* data;
  std::size_t size;
  std::size_t element;  // bytes of an element
  std::size_t alignment;
  bool is_written = false;

  template <class T>
  Argument(const char* its_name, T* first, std::size_t count)
      : name(its_name),
        data(first),
        size(count),
        element(sizeof(T)),
        alignment(alignof(T)),
        is_written(!std::is_const_v<T>) {}
  template <class T>
  Argument(const char* its_name, std::span<T> array)
      : Argument(its_name, array.data(), array.size()) {}
  Argument(const char* its_name, const IndexSpan& indices)
      : name(its_name),
        data(indices.data()),
        size(indices.size()),
        element(indices.bytes()),
        alignment(indices.bytes()) {}

  std::uintptr_t begin() const { return reinterpret_cast<std::uintptr_t>(data); }
  std::uintptr_t end() const { return begin() + size * element; }
  bool overlaps(const Argument& other) const {
    return size > 0 && other.size > 0 && begin() < other.end() && other.begin() < end();
  }
};

/// Throws unless an array of this size and address can exist.
inline void require_array(const char* what, const Argument& array) {
  const std::string name = array.name;
  product_of(array.size, 1, what);
  if (array.size == 0) return;
  if (array.data == nullptr) refuse(what, name + " is null");
  if (array.begin() % array.alignment != 0) {
    refuse(what, name + " is not at a multiple of " + std::to_string(array.alignment) + " bytes");
  }
}

/// Throws unless the arrays can exist and no written array overlaps another array.
inline void require_apart(const char* what, std::initializer_list<Argument> arrays) {
  for (const Argument* array = arrays.begin(); array != arrays.end(); ++array) {
    require_array(what, *array);
    for (const Argument* other = arrays.begin(); other != array; ++other) {
      if ((array->is_written || other->is_written) && array->overlaps(*other)) {
        refuse(what, std::string(other->name) + " and " + array->name + " overlap");
      }
    }
  }
}

/// Checks what require_apart() checks, but `out` may be the same array as `in`.
inline void require_apart_or_in_place(const char* what, const Argument& in, const Argument& out,
                                      std::initializer_list<Argument> others) {
  if (in.data == out.data) {
    require_array(what, in);
  } else {
    require_apart(what, {in, out});
  }
  for (const Argument& other : others) require_apart(what, {in, other});
  for (const Argument& other : others) require_apart(what, {out, other});
}

/// The scratch memory as `count` elements. Throws if it is too small or not aligned to 16 bytes.
template <class T>
std::span<T> elements_of(std::span<std::byte> scratch, std::size_t count, const char* what) {
  constexpr std::size_t alignment = 16;
  const std::size_t bytes = product_of(count, sizeof(T), what);
  if (scratch.size() < bytes) {
    refuse(what, std::to_string(bytes) + " bytes of scratch are needed, not " +
                     std::to_string(scratch.size()));
  }
  if (bytes > 0 && scratch.data() == nullptr) refuse(what, "scratch is null");
  if (reinterpret_cast<std::uintptr_t>(scratch.data()) % alignment != 0) {
    refuse(what, "scratch is not at a multiple of 16 bytes");
  }
  return {reinterpret_cast<T*>(scratch.data()), count};
}

/// Whether 16 bytes may be read at the address in one access.
inline bool is_packet_aligned(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer) % 16 == 0;
}

// ---- Shapes.

inline void require_matrix(std::size_t elements, std::size_t rows, std::size_t columns,
                           const char* what) {
  if (elements == product_of(rows, columns, what)) return;
  refuse(what, std::to_string(elements) + " elements are no " + std::to_string(rows) + " x " +
                   std::to_string(columns) + " matrix");
}

/// The radius v of a mask of (2v + 1)² numbers.
inline std::uint32_t radius_of_square(std::size_t numbers, const char* what) {
  constexpr std::size_t most = 0x7fff;
  std::size_t v = 0;
  while (v < most && (2 * v + 1) * (2 * v + 1) < numbers) ++v;
  if ((2 * v + 1) * (2 * v + 1) != numbers) {
    refuse(what, "a mask of " + std::to_string(numbers) + " numbers is not a square with a center");
  }
  return static_cast<std::uint32_t>(v);
}

// ---- Launches.

inline void require_block(std::uint32_t threads, const char* what) {
  if (threads == 0 || threads > 1024) {
    refuse(what,
           "blocks of " + std::to_string(threads) + " threads; a block has 1 to 1024 threads");
  }
}

/// A block may use 48 KiB of shared memory without a call that allows more.
inline void require_shared_memory(std::size_t bytes, const char* for_what, const char* what) {
  if (bytes <= std::size_t{48} * 1024) return;
  refuse(what, std::string(for_what) + " take " + std::to_string(bytes) +
                   " bytes; a block has 49152 of shared memory");
}

inline std::size_t tiles_of(std::size_t rows, std::size_t columns, std::size_t tile_rows,
                            std::size_t tile_columns) {
  return ceil_div(rows, tile_rows) * ceil_div(columns, tile_columns);
}

/// `wanted` blocks, or one per tile if `wanted` is 0.
inline std::uint32_t blocks_for(std::size_t tiles, const char* what, std::uint32_t wanted = 0) {
  const std::size_t blocks = wanted != 0 ? wanted : tiles;
  if (blocks > 0x7fffffff) refuse(what, std::to_string(blocks) + " blocks are more than 2^31 - 1");
  return static_cast<std::uint32_t>(blocks);
}

/// For the default case of a switch over the variants.
[[noreturn]] inline void refuse_variant(const char* what) {
  refuse(what, "there is no such variant");
}

}  // namespace bankproof::cuda
