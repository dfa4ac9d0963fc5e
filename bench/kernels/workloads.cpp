// Shapes and buffers of kernels; see workloads.hpp.
#include "workloads.hpp"

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <numeric>
#include <random>
#include <stdexcept>
#include <utility>

namespace bench {

namespace {

constexpr std::uint32_t side = 2048;

std::vector<std::uint32_t> counted(std::size_t words) {
  std::vector<std::uint32_t> values(words);
  std::iota(values.begin(), values.end(), 0U);
  return values;
}

std::vector<std::uint32_t> shuffled(std::size_t words) {
  std::vector<std::uint32_t> values = counted(words);
  std::shuffle(values.begin(), values.end(), std::mt19937(1));
  return values;
}

std::vector<std::uint32_t> undefined(std::size_t words) {
  return std::vector<std::uint32_t>(words);
}

/// Blocks of 256 threads, one thread per word of the result.
Workload in_registers(const std::string& name, std::uint32_t threads,
                      std::vector<std::uint64_t> numbers) {
  return {name, name, threads / 256, 1, 256, 1, {undefined(threads)}, std::move(numbers)};
}

Workload copy(const std::string& name, std::uint32_t words) {
  return {name, "copy", words / 2048, 1, 256, 1, {undefined(words), counted(words)}, {}};
}

/// A permutation of `words` words, written to each of `parts` parts of the result.
Workload random(const std::string& name, std::uint32_t words, std::uint32_t parts) {
  return {name,
          "gather",
          words / 256,
          1,
          256,
          1,
          {undefined(std::size_t{words} * parts), counted(words), shuffled(words)},
          {words, parts}};
}

Workload transpose(const std::string& name, const std::string& kernel) {
  return {name,
          kernel,
          side / 32,
          side / 32,
          32,
          8,
          {undefined(std::size_t{side} * side), counted(std::size_t{side} * side)},
          {side}};
}

const std::vector<std::pair<std::string, std::function<Workload(const std::string&)>>>& makers() {
  static const std::vector<std::pair<std::string, std::function<Workload(const std::string&)>>>
      list = {
          {"arithmetic",
           [](const auto& name) {
             return in_registers(name, 1U << 17U, {1U << 17U, 256});
           }},
          {"hashes",
           [](const auto& name) {
             return in_registers(name, 1U << 17U, {1U << 17U, 256});
           }},
          {"collatz", [](const auto& name) { return in_registers(name, 1U << 17U, {1U << 17U}); }},
          {"copy", [](const auto& name) { return copy(name, 1U << 23U); }},
          {"copy of 256 KB", [](const auto& name) { return copy(name, 1U << 16U); }},
          {"in place",
           [](const auto& name) {
             constexpr std::uint32_t words = 1U << 23U;
             return Workload{name, "in_place", words / 2048, 1, 256, 1, {counted(words)}, {}, true};
           }},
          {"shared",
           [](const auto& name) {
             return Workload{name, "exchange", 256, 1, 256, 1, {undefined(1U << 16U)}, {16}};
           }},
          {"stencil",
           [](const auto& name) {
             constexpr std::uint32_t words = 1U << 23U;
             return Workload{
                 name, name, words / 2048, 1, 256, 1, {undefined(words), counted(words + 2)}, {}};
           }},
          {"random", [](const auto& name) { return random(name, 1U << 24U, 1); }},
          {"random in cache", [](const auto& name) { return random(name, 1U << 14U, 4); }},
          {"transpose", [](const auto& name) { return transpose(name, "transpose_padded"); }},
          {"transpose plain", [](const auto& name) { return transpose(name, "transpose_plain"); }},
          {"reduction",
           [](const auto& name) {
             constexpr std::uint32_t words = 1U << 22U;
             return Workload{name,   "reduce", 512, 1, 256, 1, {undefined(512), counted(words)},
                             {words}};
           }},
      };
  return list;
}

/// `large` does what one_word does, and has 20,000 loads and 20,000 registers that it never
/// reaches.
std::string large_kernel() {
  constexpr int loads = 20000;
  std::string text = R"(
.visible .entry large(.param .u64 to)
{
  .reg .pred %p<2>;
  .reg .b32 %r<2>;
  .reg .b32 %x<20000>;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [to];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd2, %rd3;
  st.global.u32 [%rd4], %r1;
  setp.lt.u32 %p1, %r1, 32;
  @%p1 bra END;
)";
  for (int k = 0; k < loads; ++k) {
    const std::string number = std::to_string(k);
    text += "  ld.global.u32 %x" + number + ", [%rd4+" + std::to_string(4 * k) + "];\n";
    text += "  st.global.u32 [%rd4], %x" + number + ";\n";
  }
  return text + "END:\n  ret;\n}\n";
}

}  // namespace

Workload workload(const std::string& name) {
  if (name == "launch") return {name, "one_word", 1, 1, 32, 1, {undefined(32)}, {}};
  if (name == "large launch") return {name, "large", 1, 1, 32, 1, {undefined(32)}, {}};
  if (name == "warps") return {name, "arithmetic", 1U << 12U, 1, 256, 1, {undefined(32)}, {0, 0}};
  for (const auto& [known, make] : makers()) {
    if (known == name) return make(name);
  }
  throw std::invalid_argument("no workload " + name);
}

std::vector<std::string> workload_names() {
  std::vector<std::string> names;
  names.reserve(makers().size());
  for (const auto& [name, make] : makers()) names.push_back(name);
  return names;
}

const std::string& kernels_text() {
  static const std::string text = [] {
    std::ifstream file(BANKPROOF_BENCH_KERNELS);
    if (!file) throw std::runtime_error(std::string(BANKPROOF_BENCH_KERNELS) + ": cannot be read");
    return std::string{std::istreambuf_iterator<char>(file), {}} + large_kernel();
  }();
  return text;
}

}  // namespace bench
