// The arguments and results of calls of library functions, lane by lane.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "program.hpp"
#include "warp.hpp"

namespace bankproof::ptx {

template <class T>
T value_in(const Warp& warp, const ParamArea& area, std::uint32_t lane) {
  T value{};
  std::memcpy(&value, warp.frame + area.slot + std::size_t{lane} * area.bytes, sizeof value);
  return value;
}

template <class T>
void set_value(const Warp& warp, const ParamArea& area, std::uint32_t lane, T value) {
  std::memcpy(warp.frame + area.slot + std::size_t{lane} * area.bytes, &value, sizeof value);
}

}  // namespace bankproof::ptx
