// The addresses of the accesses of a block. Most accesses are rows: consecutive lanes access
// consecutive elements. Several accesses often differ only in their offsets from one register,
// whose lanes are compared once.
#pragma once

#include <map>
#include <utility>

#include "segment.hpp"

namespace bankproof::ptx::compiled {

class Addresses {
 public:
  explicit Addresses(const Around& around) : around_(around), ir_(around.ir) {}

  /// What the lanes of a register are.
  struct Row {
    Value first = nullptr;  // the number of lane 0
    Value holds = nullptr;  // whether lane l has first + l * bytes
  };
  /// The row of the address of an access. The code that it writes is where the builder is, and the
  /// row is used by the code behind it, until forget() or begin_block().
  Row row(const Instruction& access);
  /// The instruction has changed registers.
  void forget(const Instruction& instruction);
  void begin_block() { rows_.clear(); }

 private:
  Row compare_lanes(const Instruction& access) const;

  const Around& around_;
  const Ir& ir_;
  std::map<std::pair<Slot, std::uint32_t>, Row> rows_;  // by register and bytes
};

}  // namespace bankproof::ptx::compiled
