// Gives new numbers to files in the order in which they come.
#include "merged_lines.hpp"

#include <utility>

namespace bankproof::ptx {

std::string unused_name(const std::string& name, const std::string& suffix,
                        std::unordered_set<std::string>& taken) {
  std::string result = name;
  for (int number = 2; !taken.insert(result).second; ++number) {
    result = name + suffix + std::to_string(number);
  }
  return result;
}

MergedLines::Numbers MergedLines::merge_files(const Module& module) {
  Numbers numbers;
  for (const SourceFile& file : module.files) {
    const auto [known, is_new] = number_of_.try_emplace(file.name, last_ + 1);
    if (is_new) files.push_back({++last_, file.name});
    numbers.try_emplace(file.number, known->second);
  }
  return numbers;
}

// A number without a .file gets a number that no file has.
void MergedLines::renumber(SourcePoint& point, Numbers& numbers) {
  const auto [known, is_new] = numbers.try_emplace(point.file, last_ + 1);
  if (is_new) ++last_;
  point.file = known->second;
}

void MergedLines::renumber(Function& function, Numbers& numbers, Labels& labels) {
  for (Statement& statement : function.body) {
    auto* location = std::get_if<Location>(&statement);
    if (location == nullptr) continue;
    renumber(location->at, numbers);
    if (!location->inlined) continue;
    renumber(location->inlined->into, numbers);
    std::string& label = location->inlined->function;
    const auto [known, is_new] = labels.try_emplace(label);
    if (is_new) known->second = unused_name(label, "$", labels_);
    label = known->second;
  }
}

void MergedLines::take(Module& module) {
  Numbers numbers = merge_files(module);
  Labels labels;
  for (DebugString& string : module.strings) {
    std::string label = unused_name(string.label, "$", labels_);
    labels.try_emplace(string.label, label);
    strings.push_back({std::move(label), std::move(string.bytes)});
  }
  for (Function& function : module.functions) renumber(function, numbers, labels);
}

}  // namespace bankproof::ptx
