// Draws numbers; see samples.hpp.
#include "samples.hpp"

#include <string>
#include <unordered_map>

namespace bankproof::proofs {
namespace {

/// The more numbers there are, the more terms have sums of sums.
std::uint64_t largest_number(std::size_t names) { return names <= 4 ? 30 : 8; }

class Drawn {
 public:
  std::uint64_t below(std::uint64_t end) {
    state_ = state_ * 6'364'136'223'846'793'005U + 1'442'695'040'888'963'407U;
    return (state_ >> 33U) % end;
  }

 private:
  std::uint64_t state_ = 1;
};

/// The formula with numbers for the places outside of it.
class Placed {
 public:
  explicit Placed(const std::map<WrittenNumber, WrittenNumber>& places) : places_(places) {}

  WrittenPointer operator()(const WrittenPointer& node) {
    if (node->places.empty()) return node;
    WrittenPointer& known = known_[node.get()];
    if (known != nullptr) return known;
    if (node->form == Form::place) {
      const auto found = places_.find(node->value);
      return known = found == places_.end()
                         ? node
                         : Written(static_cast<std::int64_t>(found->second)).node();
    }
    WrittenNode all = *node;
    for (WrittenPointer& part : all.parts) part = (*this)(part);
    std::erase_if(all.places, [&](WrittenNumber place) { return places_.count(place) != 0; });
    return known = std::make_shared<const WrittenNode>(std::move(all));
  }

 private:
  const std::map<WrittenNumber, WrittenNumber>& places_;
  std::unordered_map<const WrittenNode*, WrittenPointer> known_;
};

WrittenNumber value_at(const Sample& sample, const WrittenPointer& formula) {
  return value_of(*Placed(sample.places)(formula), sample.names);
}

}  // namespace

Samples drawn_samples(const std::vector<std::string>& names, std::size_t count) {
  Samples all(count);
  Drawn drawn;
  for (Sample& sample : all) {
    for (const std::string& name : names) {
      // Most numbers are small, so that others are many times as large.
      const std::uint64_t most = 1 + drawn.below(largest_number(names.size()));
      const std::uint64_t number = 1 + drawn.below(most);
      sample.names[name] = static_cast<WrittenNumber>(number);
    }
  }
  return all;
}

std::vector<WrittenNumber> values_at(const Samples& samples, const WrittenPointer& formula) {
  std::vector<WrittenNumber> all;
  all.reserve(samples.size());
  for (const Sample& sample : samples) all.push_back(value_at(sample, formula));
  return all;
}

Samples samples_of_term(const Samples& samples, const WrittenNode& sum) {
  Samples all;
  Drawn drawn;
  for (const Sample& sample : samples) {
    const auto limit = static_cast<std::int64_t>(value_at(sample, sum.parts.at(0)));
    std::vector<WrittenNumber> places;
    if (sum.form == Form::over_numbers) {
      for (std::int64_t k = 0; k < limit; ++k) places.push_back(k);
    } else {
      for (std::int64_t power = 1; power < limit; power *= 2) places.push_back(power);
    }
    if (places.empty()) continue;
    Sample of_term = sample;
    of_term.places[sum.parts.at(1)->value] = places[drawn.below(places.size())];
    all.push_back(std::move(of_term));
  }
  return all;
}

}  // namespace bankproof::proofs
