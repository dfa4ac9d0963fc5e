// The slots of a function's values in its frame. A register, constant or special register gets its
// slot when the decoder first meets it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "../syntax/syntax.hpp"
#include "program.hpp"

namespace bankproof::ptx {

/// Throws std::invalid_argument for an unknown type.
LaneType lane_type_of(const Type& type);

class Slots {
 public:
  Slots(const Function& function, FunctionCode& code) : function_(function), code_(code) {}

  LaneType type(const Register& r) const;
  /// The register's slot, which the instruction reads.
  Slot of(const Register& r);
  /// The register's slot, which the instruction writes.
  Slot written(const Register& r);
  /// The slots of registers that instructions have named since the last call.
  struct Named {
    SlotRange range;
    bool is_written = false;
  };
  std::vector<Named> named() { return std::exchange(named_, {}); }
  Slot constant(LaneType type, std::uint64_t bits);
  Slot special(const SpecialValue& value);
  Slot scratch(LaneType type) { return take(slot_bytes(type)); }
  Slot parameter(LaneType type, std::uint64_t offset, std::uint32_t bytes, bool sign_extended);
  Slot global(std::size_t variable, std::int64_t offset);
  Slot local(std::int64_t offset);
  /// An area in which each lane has `bytes` bytes of its own.
  ParamArea area(std::uint64_t bytes);
  /// The slot of the condition code, which add.cc and similar instructions write.
  Slot carry();

 private:
  Slot take(std::size_t bytes);
  Slot of_register(const Register& r, bool is_written);

  const Function& function_;
  FunctionCode& code_;
  std::map<std::pair<std::size_t, std::uint32_t>, Slot> registers_;
  std::map<std::pair<LaneType, std::uint64_t>, Slot> constants_;
  std::map<std::tuple<SpecialKind, std::uint32_t, std::uint64_t, LaneType>, Slot> specials_;
  std::map<std::tuple<LaneType, std::uint64_t, std::uint32_t, bool>, Slot> parameters_;
  std::optional<Slot> carry_;
  std::vector<Named> named_;
};

}  // namespace bankproof::ptx
