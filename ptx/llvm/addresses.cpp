// Compares the lanes of registers; see addresses.hpp.
#include "addresses.hpp"

#include <vector>

namespace bankproof::ptx::compiled {

Addresses::Row Addresses::row(const Instruction& access) {
  Row& row = rows_[{access.s[0], access.bytes}];
  if (row.first == nullptr) row = compare_lanes(access);
  return row;
}

Addresses::Row Addresses::compare_lanes(const Instruction& access) const {
  const auto bytes = static_cast<unsigned>(lane_bytes(access.s_type[0]));
  const Value frame = ir_.load(ir_.pointer(), ir_.at(around_.warp, around_.order.layout.frame), 8);
  const Value at = ir_.at(frame, access.s[0]);
  const Value first = ir_.load(ir_.bits(8 * bytes), at, bytes);
  Value difference = ir_.all(8 * bytes, 0);
  for (unsigned lane = 0; lane < warp_lanes; lane += strip) {
    std::vector<Value> distances;
    for (unsigned k = 0; k < strip; ++k) {
      distances.push_back(ir_.number(8 * bytes, std::uint64_t{lane + k} * access.bytes));
    }
    const Value expected = ir_.add(ir_.same(first), LLVMConstVector(distances.data(), strip));
    const Value place = ir_.at(at, std::uint64_t{bytes} * lane);
    const Value found = ir_.load(ir_.lanes(8 * bytes), place, 16);
    difference = ir_.or_(difference, ir_.xor_(found, expected));
  }
  const Value any = ir_.intrinsic("llvm.vector.reduce.or", {difference});
  return {first, ir_.compare(LLVMIntEQ, any, ir_.number(8 * bytes, 0))};
}

void Addresses::forget(const Instruction& instruction) {
  if (around_.order.mistake == Mistake::keeps_addresses) return;
  // A called step may change any register.
  if (instruction.kind == Kind::other) return rows_.clear();
  for (std::size_t k = 0; k < instruction.destinations; ++k) {
    std::erase_if(rows_, [&](const auto& row) { return row.first.first == instruction.d[k]; });
  }
}

}  // namespace bankproof::ptx::compiled
