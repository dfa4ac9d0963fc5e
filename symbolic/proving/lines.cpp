// Finds lines; see lines.hpp.
#include "lines.hpp"

namespace bankproof::symbolic {

Lines::Lines(const ptx::Module& module, std::string source)
    : module_(module), source_(std::move(source)) {
  for (std::size_t f = 0; f < module.functions.size(); ++f) {
    const std::vector<ptx::Statement>& body = module.functions[f].body;
    for (std::size_t s = 0; s < body.size(); ++s) {
      const auto* const i = std::get_if<ptx::Instruction>(&body[s]);
      if (i != nullptr) sites_.try_emplace({i->place.line, i->place.column}, f, s);
    }
  }
}

ptx::SourceLine Lines::at(const ptx::Place& place) {
  const Key key{place.line, place.column};
  const auto known = known_.find(key);
  if (known != known_.end()) return known->second;
  const auto site = sites_.find(key);
  if (site == sites_.end()) return {};
  return known_[key] = ptx::origins_of(module_, {&site->second, 1}, source_).front().at;
}

}  // namespace bankproof::symbolic
