// See room.hpp.
#include "room.hpp"

#include <fmt/format.h>

#include "../../text/typed.hpp"
#include "../support/errors.hpp"
#include "../support/memory.hpp"

namespace bankproof::cli {
namespace {

/// Bytes for an element: its value on the host, in the machine's memory and in the oracle, and the
/// observers' records of it. Measured: 80.
constexpr std::uint64_t bytes_of_element = 96;

/// Bytes for a warp's program and the programs that it calls. Measured: up to 9,000.
constexpr std::uint64_t bytes_of_warp = 16 << 10;

/// sum() and product() return the largest 64-bit number if the result does not fit 64 bits.
std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
  return a > unlimited - b ? unlimited : a + b;
}
std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > unlimited / b ? unlimited : a * b;
}

void require(const std::string& option, std::uint64_t count, std::string_view what,
             std::uint64_t bytes, std::string_view cure) {
  const std::uint64_t most = physical_memory();
  if (product(count, bytes) <= most) return;
  const std::string number = count == unlimited ? "2^64 or more" : std::to_string(count);
  throw UsageError(fmt::format("{}: {} {} need {} of memory, more than the {} of this machine; {}",
                               option, number, what, size_text(product(count, bytes)),
                               size_text(most), cure));
}

}  // namespace

void require_room(const AlgorithmEntry& algorithm, const Task& task) {
  std::uint64_t elements = algorithm.output(task).size();
  for (const Shape& input : algorithm.inputs(task)) elements = sum(elements, input.size());
  require("--size", elements, "elements", bytes_of_element, "choose smaller sizes");
  const MachineParameters& machine = task.machine;
  require("--size", product(machine.d, algorithm.shared_words(task)), "words of shared memory",
          bytes_of_element, "choose smaller tiles, or fewer DMMs");
  require("--machine", product(machine.d, ceil_div(machine.p, machine.w)), "warps", bytes_of_warp,
          "choose a smaller p or d");
}

}  // namespace bankproof::cli
