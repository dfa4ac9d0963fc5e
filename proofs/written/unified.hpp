// One part in place of all those that say the same, so that equal formulas are the same object.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "written.hpp"

namespace bankproof::proofs {

class Unified {
 public:
  WrittenPointer operator()(const WrittenPointer& node) {
    const auto known = met_.find(node.get());
    if (known != met_.end()) return known->second;
    WrittenNode own = *node;
    std::vector<const WrittenNode*> parts;
    for (WrittenPointer& part : own.parts) {
      part = (*this)(part);
      parts.push_back(part.get());
    }
    WrittenPointer& one = all_[{own.form, own.value, own.name, parts}];
    if (one == nullptr) one = std::make_shared<const WrittenNode>(std::move(own));
    kept_.push_back(node);
    return met_[node.get()] = one;
  }

 private:
  using Key = std::tuple<Form, WrittenNumber, std::string, std::vector<const WrittenNode*>>;
  std::unordered_map<const WrittenNode*, WrittenPointer> met_;
  std::vector<WrittenPointer> kept_;  // what met_ knows by its address
  std::map<Key, WrittenPointer> all_;
};

}  // namespace bankproof::proofs
