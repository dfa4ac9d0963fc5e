// Reads what the opcode of a memory instruction says (PTX ISA, "Data Movement and Conversion
// Instructions", "Parallel Synchronization and Communication Instructions: atom, red").
#include "access.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

namespace bankproof::ptx {
namespace {

template <class Value, std::size_t count>
using Names = std::array<std::pair<std::string_view, Value>, count>;

template <class Value, std::size_t count>
std::optional<Value> find(const Names<Value, count>& names, std::string_view name) {
  for (const auto& [known, value] : names) {
    if (known == name) return value;
  }
  return std::nullopt;
}

constexpr Names<Semantics, 6> semantics = {{{"weak", Semantics::weak},
                                            {"volatile", Semantics::relaxed},
                                            {"relaxed", Semantics::relaxed},
                                            {"acquire", Semantics::acquire},
                                            {"release", Semantics::release},
                                            {"acq_rel", Semantics::acquire_release}}};

// Each block is its own cluster.
constexpr Names<Scope, 4> scopes = {{{"cta", Scope::block},
                                     {"cluster", Scope::block},
                                     {"gpu", Scope::device},
                                     {"sys", Scope::device}}};

constexpr Names<AtomicOperation, 10> atomics = {{{"exch", AtomicOperation::exchange},
                                                 {"cas", AtomicOperation::compare_and_swap},
                                                 {"add", AtomicOperation::add},
                                                 {"min", AtomicOperation::minimum},
                                                 {"max", AtomicOperation::maximum},
                                                 {"and", AtomicOperation::bit_and},
                                                 {"or", AtomicOperation::bit_or},
                                                 {"xor", AtomicOperation::bit_xor},
                                                 {"inc", AtomicOperation::increment},
                                                 {"dec", AtomicOperation::decrement}}};

constexpr Names<std::uint32_t, 3> vectors = {{{"v2", 2}, {"v4", 4}, {"v8", 8}}};

/// Whether the modifier means nothing here: cache hints, `nc`, `mmio`, `unified` and `noftz`.
bool is_hint(std::string_view name) {
  constexpr std::array<std::string_view, 13> hints = {
      "ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc", "unified", "mmio", "L1", "L2", "noftz"};
  return name.substr(0, 4) == "L1::" || name.substr(0, 4) == "L2::" ||
         std::find(hints.begin(), hints.end(), name) != hints.end();
}

constexpr Names<Operation, 7> operations = {{{"ld", Operation::load},
                                             {"ldu", Operation::load},
                                             {"st", Operation::store},
                                             {"atom", Operation::atomic},
                                             {"red", Operation::reduction},
                                             {"prefetch", Operation::prefetch},
                                             {"prefetchu", Operation::prefetch}}};

bool is_copy(const Instruction& instruction) {
  return instruction.base == "cp" && instruction.modifiers.size() >= 2 &&
         instruction.modifiers[0] == "async" &&
         (instruction.modifiers[1] == "ca" || instruction.modifiers[1] == "cg");
}

bool is_atomic(Operation operation) {
  return operation == Operation::atomic || operation == Operation::reduction;
}

/// Whether the operation exists for the type.
bool makes_sense(const Access& access) {
  const bool integer =
      access.number == Number::signed_integer || access.number == Number::unsigned_integer;
  const std::uint32_t bytes = access.element_bytes;
  switch (access.atomic) {
    case AtomicOperation::none:
      return !is_atomic(access.operation);
    case AtomicOperation::exchange:
    case AtomicOperation::compare_and_swap:
      return access.number == Number::bits && bytes >= 2;
    case AtomicOperation::add:
      return access.number != Number::bits && (!integer || bytes >= 4);
    case AtomicOperation::minimum:
    case AtomicOperation::maximum:
      return integer && bytes >= 4;
    case AtomicOperation::bit_and:
    case AtomicOperation::bit_or:
    case AtomicOperation::bit_xor:
      return access.number == Number::bits && (bytes == 4 || bytes == 8);
    case AtomicOperation::arrive:
    case AtomicOperation::arrive_and_drop:
      return false;
    case AtomicOperation::increment:
    case AtomicOperation::decrement:
      break;
  }
  return access.number == Number::unsigned_integer && bytes == 4;
}

/// Reads the modifiers in order. Returns false if a modifier is unknown, or if two modifiers choose
/// the same property.
bool read_modifiers(const Instruction& instruction, std::size_t first, Access& access) {
  bool has_type = false;
  bool has_meaning = false;
  bool has_scope = false;
  std::size_t spaces = 0;
  for (std::size_t k = first; k < instruction.modifiers.size(); ++k) {
    const std::string& name = instruction.modifiers[k];
    if (const auto space = space_named(name)) {
      // A copy names its destination space and its source space.
      if (++spaces > (access.operation == Operation::copy ? 2U : 1U)) return false;
      access.space = *space;
    } else if (const auto meaning = find(semantics, name)) {
      if (std::exchange(has_meaning, true)) return false;
      access.semantics = *meaning;
    } else if (const auto scope = find(scopes, name)) {
      if (std::exchange(has_scope, true)) return false;
      access.scope = *scope;
    } else if (const auto vector = find(vectors, name)) {
      if (access.vector != 1) return false;
      access.vector = *vector;
    } else if (is_atomic(access.operation) && find(atomics, name)) {
      if (access.atomic != AtomicOperation::none) return false;
      access.atomic = *find(atomics, name);
    } else if (const FundamentalType* const type = find_type(name); type && type->bits >= 8) {
      if (std::exchange(has_type, true)) return false;
      access.element_bytes = type->bits / 8;
      access.number = type->number;
      access.packed = type->packed;
      access.sign_extended = type->number == Number::signed_integer;
    } else if (!is_hint(name)) {
      return false;
    }
  }
  access.generic = spaces == 0;
  return has_type || access.operation == Operation::prefetch || access.operation == Operation::copy;
}

}  // namespace

bool is_access(const Instruction& instruction) {
  return find(operations, instruction.base) || is_copy(instruction);
}

Access access_of(const Instruction& instruction, std::string_view file) {
  const auto fail = [&]() -> Access {
    throw Error("unsupported: " + instruction.opcode(), file, instruction.place);
  };
  Access access;
  const auto operation = find(operations, instruction.base);
  if (!operation && !is_copy(instruction)) return fail();
  access.operation = operation.value_or(Operation::copy);
  if (is_atomic(access.operation)) access.semantics = Semantics::relaxed;
  if (access.operation == Operation::copy) {
    // The operands of cp.async.ca.shared.global are [to], [from] and the number of bytes.
    if (instruction.operands.size() < 3) return fail();
    const auto* scalar = std::get_if<Scalar>(&instruction.operands[2].value);
    const auto* bytes = scalar == nullptr ? nullptr : std::get_if<Immediate>(scalar);
    if (bytes == nullptr || (bytes->bits != 4 && bytes->bits != 8 && bytes->bits != 16)) {
      return fail();
    }
    if (!read_modifiers(instruction, 1, access)) return fail();
    access.element_bytes = static_cast<std::uint32_t>(bytes->bits);
    access.space = Space::shared;
    access.generic = false;
    return access;
  }
  if (!read_modifiers(instruction, 0, access)) return fail();
  if (access.operation == Operation::prefetch) return access;
  const bool loads = access.operation == Operation::load;
  const bool stores = access.operation == Operation::store;
  if (!makes_sense(access) || access.bytes() > 32 ||
      (loads && (access.semantics == Semantics::release ||
                 access.semantics == Semantics::acquire_release)) ||
      (stores &&
       (access.semantics == Semantics::acquire || access.semantics == Semantics::acquire_release ||
        access.space == Space::constant)) ||
      (is_atomic(access.operation) && !access.generic && access.space != Space::global &&
       access.space != Space::shared)) {
    return fail();
  }
  return access;
}

bool has_short_way(const MemoryOperands& operands) {
  const Access& access = operands.access;
  const bool moves = access.operation == Operation::load || access.operation == Operation::store;
  const bool known = access.space == Space::global || access.space == Space::shared;
  return moves && known && access.semantics == Semantics::weak && operands.address != no_slot &&
         lane_bytes(operands.type) == access.element_bytes &&
         (access.element_bytes == 4 || access.element_bytes == 8);
}

bool needs_exact_clocks(const Instruction& instruction) {
  if (instruction.base == "fence" || instruction.base == "membar") return true;
  if (instruction.has("acquire") || instruction.has("release") || instruction.has("acq_rel"))
    return true;
  if (instruction.base != "bar" && instruction.base != "barrier") return false;
  if (instruction.has("arrive")) return true;
  if (instruction.has("warp")) {
    const auto* scalar = instruction.operands.empty()
                             ? nullptr
                             : std::get_if<Scalar>(&instruction.operands[0].value);
    const auto* mask = scalar == nullptr ? nullptr : std::get_if<Immediate>(scalar);
    return mask == nullptr || static_cast<LaneMask>(mask->bits) != all_lanes;
  }
  // With a number of threads: bar.sync id, count; bar.red.op d, id, count, predicate.
  return instruction.operands.size() > (instruction.has("red") ? 3U : 1U);
}

}  // namespace bankproof::ptx
