// Makes formulas; see written.hpp.
#include "written.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <optional>

namespace bankproof::proofs {
namespace {

std::optional<std::size_t> position_of_place(Form form) {
  const bool is_sum =
      form == Form::over_numbers || form == Form::over_powers || form == Form::over_chain;
  return is_sum ? std::optional<std::size_t>(1) : std::nullopt;
}

WrittenPointer node_of(Form form, std::vector<WrittenPointer> parts) {
  WrittenNode all{.form = form};
  for (const WrittenPointer& part : parts) {
    std::vector<WrittenNumber> more;
    std::set_union(all.places.begin(), all.places.end(), part->places.begin(), part->places.end(),
                   std::back_inserter(more));
    all.places = std::move(more);
  }
  if (const auto position = position_of_place(form)) {
    std::erase(all.places, parts[*position]->value);
  }
  all.parts = std::move(parts);
  return std::make_shared<const WrittenNode>(std::move(all));
}

template <class Numbers>
std::vector<WrittenPointer> nodes_of(const Numbers& numbers) {
  std::vector<WrittenPointer> all;
  all.reserve(numbers.size());
  for (const auto& one : numbers) all.push_back(one.node());
  return all;
}

WrittenTruth compared(Form form, const Written& a, const Written& b) {
  return WrittenTruth(node_of(form, {a.node(), b.node()}));
}

}  // namespace

WrittenPointer Written::of_number(WrittenNumber value) {
  return std::make_shared<const WrittenNode>(WrittenNode{.form = Form::number, .value = value});
}
Written Written::name(const std::string& name) {
  return Written(
      std::make_shared<const WrittenNode>(WrittenNode{.form = Form::name, .name = name}));
}
Written Written::new_place() {
  static std::atomic<std::int64_t> places = 0;
  const WrittenNumber place = ++places;
  return Written(std::make_shared<const WrittenNode>(
      WrittenNode{.form = Form::place, .value = place, .places = {place}}));
}
Written Written::of(Form form, const std::vector<Written>& parts) {
  return Written(node_of(form, nodes_of(parts)));
}

Written Written::application(const std::string& function, const std::vector<Written>& arguments) {
  WrittenNode all = *node_of(Form::application, nodes_of(arguments));
  all.name = function;
  return Written(std::make_shared<const WrittenNode>(std::move(all)));
}

WrittenTruth operator==(const Written& a, const Written& b) { return compared(Form::equal, a, b); }
WrittenTruth operator!=(const Written& a, const Written& b) { return !(a == b); }
WrittenTruth operator<=(const Written& a, const Written& b) {
  return compared(Form::at_most, a, b);
}
WrittenTruth operator<(const Written& a, const Written& b) { return !(b <= a); }
WrittenTruth operator>=(const Written& a, const Written& b) { return b <= a; }
WrittenTruth operator>(const Written& a, const Written& b) { return b < a; }

Written select(const WrittenTruth& condition, const Written& a, const Written& b) {
  return Written(node_of(Form::choice, {condition.node(), a.node(), b.node()}));
}

WrittenTruth WrittenTruth::of(Form form, const std::vector<WrittenTruth>& parts) {
  return WrittenTruth(node_of(form, nodes_of(parts)));
}

}  // namespace bankproof::proofs
