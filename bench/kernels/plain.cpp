// The plain loops; see plain.hpp. Each follows the kernel of its name in kernels.cu.
#include "plain.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace bench {

namespace {

using Words = std::vector<std::uint32_t>;

double plain_arithmetic(Workload& work) {
  for (std::uint32_t i = 0; i < work.numbers[0]; ++i) {
    std::uint32_t state = i * 2654435761U + 1;
    float sum = 0;
    for (std::uint64_t k = 0; k < work.numbers[1]; ++k) {
      state = state * 1664525U + 1013904223U;
      const float x = static_cast<float>(state >> 8U) * (1.0F / 16777216.0F);
      sum = sum * 0.5F + (((x * 0.25F - 0.5F) * x + 0.125F) * x + 0.75F);
    }
    work.buffers[0][i] = std::bit_cast<std::uint32_t>(sum);
  }
  return static_cast<double>(work.numbers[0]);
}

double plain_hashes(Workload& work) {
  for (std::uint32_t i = 0; i < work.numbers[0]; ++i) {
    std::uint32_t a = i;
    std::uint32_t b = i ^ 0x2545f491U;
    for (std::uint64_t k = 0; k < work.numbers[1]; ++k) {
      a = (a ^ (a >> 16U)) * 0x85ebca6bU + b;
      b = (b ^ (a << 5U)) + 0x9e3779b9U;
    }
    work.buffers[0][i] = a ^ b;
  }
  return static_cast<double>(work.numbers[0]);
}

double plain_collatz(Workload& work) {
  for (std::uint32_t i = 0; i < work.numbers[0]; ++i) {
    std::uint32_t value = i + 1;
    std::uint32_t steps = 0;
    for (; value != 1 && steps < 300; ++steps) {
      value = (value & 1U) != 0 ? 3 * value + 1 : value >> 1U;
    }
    work.buffers[0][i] = steps;
  }
  return static_cast<double>(work.numbers[0]);
}

double plain_copy(Workload& work) {
  const Words& in = work.buffers[1];
  Words& out = work.buffers[0];
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = in[i];
  return 2 * static_cast<double>(out.size());
}

double plain_in_place(Workload& work) {
  for (std::uint32_t& word : work.buffers[0]) word += 12345;
  return 2 * static_cast<double>(work.buffers[0].size());
}

double plain_stencil(Workload& work) {
  const Words& in = work.buffers[1];
  Words& out = work.buffers[0];
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = in[i] + in[i + 1] + in[i + 2];
  return 4 * static_cast<double>(out.size());
}

double plain_gather(Workload& work) {
  const Words& in = work.buffers[1];
  const Words& index = work.buffers[2];
  Words& out = work.buffers[0];
  for (std::size_t from = 0; from < out.size(); from += index.size()) {
    for (const std::uint32_t at : index) out[from + at] = in[at];
  }
  return 3 * static_cast<double>(out.size());
}

double plain_exchange(Workload& work) {
  Words& out = work.buffers[0];
  std::array<std::uint32_t, 1024> tile{};
  std::array<std::uint32_t, 256> values{};
  for (std::size_t block = 0; block < out.size(); block += values.size()) {
    for (std::size_t t = 0; t < values.size(); ++t) values[t] = static_cast<std::uint32_t>(t);
    for (std::uint64_t k = 0; k < work.numbers[0]; ++k) {
      for (std::uint32_t part = 0; part < 4; ++part) {
        for (std::size_t t = 0; t < values.size(); ++t) tile[part * 256 + t] = values[t] + part;
      }
      for (std::uint32_t part = 0; part < 4; ++part) {
        for (std::size_t t = 0; t < 224; ++t) values[t] += tile[part * 256 + t + 32];
        for (std::size_t t = 224; t < 256; ++t) values[t] += tile[part * 256 + t - 224];
      }
    }
    std::copy(values.begin(), values.end(), out.begin() + static_cast<std::ptrdiff_t>(block));
  }
  return static_cast<double>(out.size()) * (8 * static_cast<double>(work.numbers[0]) + 1);
}

double plain_transpose(Workload& work) {
  const Words& in = work.buffers[1];
  Words& out = work.buffers[0];
  const std::size_t n = work.numbers[0];
  for (std::size_t y = 0; y < n; y += 32) {
    for (std::size_t x = 0; x < n; x += 32) {
      for (std::size_t row = 0; row < 32; ++row) {
        for (std::size_t k = 0; k < 32; ++k) out[(x + row) * n + y + k] = in[(y + k) * n + x + row];
      }
    }
  }
  return 2 * static_cast<double>(n * n);
}

double plain_reduce(Workload& work) {
  const Words& in = work.buffers[1];
  std::uint32_t sum = 0;
  for (const std::uint32_t word : in) sum += word;
  work.buffers[0][0] = sum;
  return static_cast<double>(in.size());
}

}  // namespace

double run_plain(Workload& work) {
  static const std::map<std::string, double (*)(Workload&)> loops = {
      {"arithmetic", plain_arithmetic},
      {"hashes", plain_hashes},
      {"collatz", plain_collatz},
      {"copy", plain_copy},
      {"in_place", plain_in_place},
      {"stencil", plain_stencil},
      {"gather", plain_gather},
      {"exchange", plain_exchange},
      {"transpose_padded", plain_transpose},
      {"transpose_plain", plain_transpose},
      {"reduce", plain_reduce}};
  return loops.at(work.kernel)(work);
}

}  // namespace bench
