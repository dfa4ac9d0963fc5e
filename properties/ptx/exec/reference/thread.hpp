// A thread of the reference: its calls, its registers and its own memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../../../../ptx/syntax/syntax.hpp"
#include "interpreter.hpp"

namespace bankproof::ptx::reference {

/// The data that the threads of a block share.
struct Surroundings {
  const Module& module;
  Extent grid;
  Extent block;
  std::array<std::uint32_t, 3> index;  // of the block
  std::span<const Buffer> buffers;
  std::vector<std::byte> shared;
  std::map<const Variable*, std::uint64_t> shared_addresses;
  Result& result;
};

using Bytes = std::vector<std::byte>;

struct Call {
  const Function* function = nullptr;
  std::size_t at = 0;  // the next statement
  std::map<std::pair<std::size_t, std::uint32_t>, std::uint64_t> registers;
  std::map<std::pair<Symbol::Kind, std::size_t>, Bytes> areas;  // parameters and similar areas
  std::map<std::size_t, std::uint64_t> local;                   // variables, keyed by statement
};

class Thread {
 public:
  enum class State : std::uint8_t { runs, at_barrier, in_warp, ended };

  Thread(Surroundings& surroundings, const Function& kernel, std::uint32_t number,
         std::span<const std::byte> parameters);

  /// Runs until the thread waits or ends.
  void run();

  State state() const { return state_; }
  /// The instruction at which the thread waits.
  const Instruction& waits_at() const;
  /// Goes on after that instruction, with results for its destination and for the predicate after
  /// `|`.
  void go_on(std::optional<std::uint64_t> result = {}, std::optional<bool> predicate = {});
  /// Goes on after that instruction, with values for the elements of its destination.
  void go_on_with(const std::vector<std::uint64_t>& results);
  /// The value of an operand of the instruction at which the thread waits.
  std::uint64_t value(std::size_t operand) const;
  /// The values of the elements of such an operand.
  std::vector<std::uint64_t> values(std::size_t operand) const;

 private:
  void step(const Instruction& i);
  bool control(const Instruction& i);
  bool memory(const Instruction& i);
  std::optional<std::uint64_t> computed(const Instruction& i) const;
  void set(const Operand& to, std::uint64_t value);
  void set(const Scalar& to, std::uint64_t value);
  std::uint64_t value(const Operand& operand) const;
  std::uint64_t value(const Scalar& scalar) const;
  std::uint64_t special(const std::string& name) const;
  std::uint64_t address_of(const Symbol& symbol) const;
  std::byte* bytes_at(const Instruction& i, const Address& address, std::size_t bytes);
  Bytes& area(const Symbol& symbol);
  Call call_of(const Function& function);
  void call(const Instruction& i);
  void give_back();
  [[noreturn]] void unknown(const Instruction& i) const;

  Surroundings& around_;
  std::uint32_t number_;
  std::vector<Call> calls_;
  Bytes local_;
  State state_ = State::runs;
  std::uint64_t steps_ = 0;
};

/// The bits and signedness of a type such as s32.
struct IntegerType {
  std::uint32_t bits = 32;
  bool is_signed = false;
};
IntegerType integer_type(const std::string& type);

/// The low bits of a value, sign- or zero-extended to 64 bits.
std::uint64_t fitted(std::uint64_t value, const IntegerType& type);

}  // namespace bankproof::ptx::reference
