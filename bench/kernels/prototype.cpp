// The prototype's code, included unchanged into a separate namespace.
#include "prototype.hpp"

#include <stdexcept>

#ifdef BANKPROOF_PTX_PROTOTYPE
// All headers that it includes, so that none is included inside the namespace.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

namespace prototype::its {
// NOLINTNEXTLINE(readability-identifier-naming): the prototype's own main() under another name.
#define main its_main
#include BANKPROOF_PTX_PROTOTYPE  // NOLINT(bugprone-suspicious-include)
#undef main
}  // namespace prototype::its

namespace prototype {

bool is_built_in() { return true; }

struct Launch::State {
  its::Machine machine;
  its::Kernel kernel;
  its::Dim grid;
  its::Dim block;
  std::vector<std::uint64_t> arguments;
};

Launch::Launch(const std::string& ptx, const std::string& kernel, const Shape& shape,
               const std::vector<const std::vector<std::uint32_t>*>& buffers,
               const std::vector<std::uint64_t>& numbers)
    : state_(std::make_unique<State>()) {
  state_->kernel = its::parse(ptx, kernel);
  state_->grid = {shape.grid_x, shape.grid_y, 1};
  state_->block = {shape.block_x, shape.block_y, 1};
  for (const auto* const words : buffers) {
    state_->arguments.push_back(
        its::addBuf(state_->machine, words->data(), words->size() * sizeof(std::uint32_t)));
  }
  state_->arguments.insert(state_->arguments.end(), numbers.begin(), numbers.end());
}

Counts Launch::run() {
  its::Machine& machine = state_->machine;
  its::launch(machine, state_->kernel, state_->grid, state_->block, state_->arguments);
  Counts counts;
  std::uint64_t lanes = 0;
  for (std::size_t k = 0; k < machine.ops.size(); ++k) {
    const its::Stat& stat = machine.stat[k];
    counts.accesses += static_cast<double>(stat.acc);
    if (machine.ops[k].fn == its::exBlock) {
      lanes = stat.lanes;
    } else {
      counts.instructions += static_cast<double>(lanes);
    }
  }
  return counts;
}

}  // namespace prototype

#else

namespace prototype {

bool is_built_in() { return false; }

struct Launch::State {};

Launch::Launch(const std::string& /*ptx*/, const std::string& /*kernel*/, const Shape& /*shape*/,
               const std::vector<const std::vector<std::uint32_t>*>& /*buffers*/,
               const std::vector<std::uint64_t>& /*numbers*/) {
  throw std::logic_error("the prototype is not built in");
}

Counts Launch::run() { return {}; }

}  // namespace prototype

#endif

namespace prototype {
Launch::~Launch() = default;
}  // namespace prototype
