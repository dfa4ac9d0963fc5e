// Fuzzes the machine: decodes each kernel that the parser accepts and runs it in a launch of two
// small blocks. If the machine does not know an instruction, it throws an error that names a place.
// An error of the kernel becomes a fault, and the limit of instructions ends a kernel that runs too
// long.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "../exec/family.hpp"
#include "../exec/launch.hpp"
#include "../syntax/parser.hpp"

namespace bankproof::ptx {
namespace {

constexpr std::size_t longest_text = std::size_t{1} << 16;
constexpr std::size_t buffers = 3;
constexpr std::uint64_t buffer_bytes = 4096;
constexpr std::uint64_t most_instructions = 20000;

void require(bool holds) {
  if (!holds) std::abort();
}

/// The arguments of the kernel. A parameter of 8 bytes gets the address of the next buffer; any
/// other parameter gets a small number.
std::vector<std::byte> parameters_of(const Program& program) {
  std::vector<std::byte> bytes(program.parameter_bytes);
  std::size_t pointers = 0;
  for (const KernelParameter& parameter : program.parameters) {
    std::uint64_t value = 70;
    if (parameter.bytes == 8)
      value = buffer_address(static_cast<std::uint32_t>(pointers++ % buffers));
    std::memcpy(bytes.data() + parameter.offset, &value,
                std::min<std::size_t>(parameter.bytes, sizeof value));
  }
  return bytes;
}

void run(const Program& program) {
  GlobalMemory memory;
  for (std::size_t k = 0; k < buffers; ++k) {
    memory.add_buffer("b" + std::to_string(k), buffer_bytes, k == 0);
  }
  const LaunchShape shape{{2, 1, 1}, {40, 1, 1}, 64};
  try {
    RunOptions options;
    options.most_instructions = most_instructions;
    const LaunchResult result = launch(program, shape, parameters_of(program), memory, options);
    require(result.visits.size() ==
            (program.family == nullptr ? program.sites.size() : program.family->sites.size()));
    for (std::size_t s = 0; s < result.visits.size(); ++s) {
      require(result.lanes[s] >= result.visits[s] && result.lanes[s] <= 32 * result.visits[s]);
    }
  } catch (const std::invalid_argument&) {  // the kernel cannot have this shape
  }
}

}  // namespace
}  // namespace bankproof::ptx

// NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer calls.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bankproof::ptx;
  if (size > longest_text) return -1;
  try {
    const Module module = parse({reinterpret_cast<const char*>(data), size});
    for (const Function& function : module.functions) {
      if (!function.entry || !function.defined) continue;
      try {
        const Program program = decode(module, function.name);
        run(program);
      } catch (const Error& error) {
        require(error.place().line >= 1 && error.place().column >= 1);
      }
    }
  } catch (const Error& error) {
    require(error.place().line >= 1 && error.place().column >= 1);
  }
  return 0;
}
