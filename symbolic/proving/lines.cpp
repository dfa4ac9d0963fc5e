// Finds lines; see lines.hpp.
#include "lines.hpp"

#include "../../ptx/report/origins.hpp"

namespace bankproof::symbolic {

ptx::SourceLine Lines::of(const ptx::Instruction& instruction) {
  const auto known = known_.find(&instruction);
  if (known != known_.end()) return known->second;
  const auto function = static_cast<std::size_t>(&kernel_ - module_.functions.data());
  const std::vector<ptx::Statement>& body = kernel_.body;
  for (std::size_t s = 0; s < body.size(); ++s) {
    if (std::get_if<ptx::Instruction>(&body[s]) != &instruction) continue;
    const ptx::SiteStatement site{function, s};
    return known_[&instruction] = ptx::origins_of(module_, {&site, 1}, source_).front().at;
  }
  return {};
}

ptx::SourceLine Lines::at(const ptx::Place& place) {
  for (const ptx::Statement& statement : kernel_.body) {
    const auto* const instruction = std::get_if<ptx::Instruction>(&statement);
    if (instruction != nullptr && instruction->place.line == place.line &&
        instruction->place.column == place.column) {
      return of(*instruction);
    }
  }
  return {};
}

}  // namespace bankproof::symbolic
