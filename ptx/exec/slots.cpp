// Hands out slots one after the other.
#include "slots.hpp"

#include <stdexcept>

namespace bankproof::ptx {

namespace {

// Frames are small; a hostile program must not make them huge.
constexpr std::size_t most_frame_bytes = std::size_t{1} << 26U;

}  // namespace

LaneType lane_type_of(const Type& type) {
  switch (bits_of(type)) {
    case 1:
      return LaneType::predicate;
    case 8:
    case 16:
      return LaneType::b16;
    case 32:
      return LaneType::b32;
    case 64:
      return LaneType::b64;
    default:
      return LaneType::b128;
  }
}

LaneType Slots::type(const Register& r) const {
  return lane_type_of(function_.registers[r.declaration].type);
}

Slot Slots::take(std::size_t bytes) {
  const std::size_t at = code_.frame_bytes;
  code_.frame_bytes += (bytes + slot_alignment - 1) / slot_alignment * slot_alignment;
  if (code_.frame_bytes > most_frame_bytes) throw std::invalid_argument("too many registers");
  return static_cast<Slot>(at);
}

Slot Slots::of_register(const Register& r, bool is_written) {
  const auto [found, is_new] = registers_.try_emplace({r.declaration, r.number}, no_slot);
  const std::size_t bytes = slot_bytes(type(r));
  if (is_new) found->second = take(bytes);
  named_.push_back({{found->second, bytes}, is_written});
  return found->second;
}

Slot Slots::of(const Register& r) { return of_register(r, false); }
Slot Slots::written(const Register& r) { return of_register(r, true); }

Slot Slots::constant(LaneType type, std::uint64_t bits) {
  if (type == LaneType::predicate) bits = bits != 0 ? all_lanes : 0;
  if (type == LaneType::b16) bits &= 0xFFFFU;
  if (type == LaneType::b32) bits &= 0xFFFFFFFFU;
  const auto [found, is_new] = constants_.try_emplace({type, bits}, no_slot);
  if (is_new) {
    found->second = take(slot_bytes(type));
    code_.constants.push_back({found->second, type, bits});
  }
  return found->second;
}

Slot Slots::special(const SpecialValue& value) {
  const auto [found, is_new] =
      specials_.try_emplace({value.kind, value.component, value.number, value.type}, no_slot);
  if (is_new) {
    found->second = take(slot_bytes(value.type));
    code_.specials.push_back({found->second, value});
  }
  return found->second;
}

Slot Slots::parameter(LaneType type, std::uint64_t offset, std::uint32_t bytes,
                      bool sign_extended) {
  const auto [found, is_new] =
      parameters_.try_emplace({type, offset, bytes, sign_extended}, no_slot);
  if (is_new) {
    found->second = take(slot_bytes(type));
    code_.parameter_slots.push_back({found->second, type, offset, bytes, sign_extended});
  }
  return found->second;
}

Slot Slots::global(std::size_t variable, std::int64_t offset) {
  code_.globals.push_back({take(slot_bytes(LaneType::b64)), variable, offset});
  return code_.globals.back().slot;
}

Slot Slots::local(std::int64_t offset) {
  code_.locals.push_back({take(slot_bytes(LaneType::b64)), offset});
  return code_.locals.back().slot;
}

ParamArea Slots::area(std::uint64_t bytes) {
  const std::uint64_t rounded = (bytes + 15) / 16 * 16;
  if (rounded > most_frame_bytes) throw std::invalid_argument("a parameter is too large");
  const ParamArea made{take(warp_lanes * rounded), static_cast<std::uint32_t>(rounded)};
  code_.read_first.push_back({made.slot, warp_lanes * rounded});
  return made;
}

Slot Slots::carry() {
  if (!carry_) {
    carry_ = scratch(LaneType::predicate);
    code_.read_first.push_back({*carry_, slot_bytes(LaneType::predicate)});
  }
  return *carry_;
}

}  // namespace bankproof::ptx
