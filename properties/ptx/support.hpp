// Helpers of the tests of the PTX front end: texts to parse and the golden files.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "../../ptx/syntax/parser.hpp"

namespace bankproof::ptx {

/// A module whose only function has this body. The body begins in line 5 of the text.
inline std::string with_body(const std::string& body) {
  return ".version 7.8\n.target sm_80\n.address_size 64\n.entry f(.param .u64 p)\n{" + body +
         "\n}\n";
}

/// A module with other items in place of the function, in line 4.
inline std::string with_head(const std::string& items) {
  return ".version 7.8\n.target sm_80\n.address_size 64\n" + items + "\n";
}

/// The statements of this kind in the module's first function.
template <class Kind>
std::vector<Kind> all_of(const Module& module) {
  std::vector<Kind> result;
  for (const Statement& statement : module.functions.at(0).body) {
    if (const auto* found = std::get_if<Kind>(&statement)) result.push_back(*found);
  }
  return result;
}

/// The message of the error that parsing the text gives; empty if there is no error.
inline std::string error_of(const std::string& text) {
  try {
    parse(text, "k.ptx");
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

struct Golden {
  std::string name;
  std::string text;
};

/// All files NAME.ptx below properties/golden/ptx, by name.
inline const std::vector<Golden>& golden_files() {
  static const std::vector<Golden> files = [] {
    const std::filesystem::path root =
        std::filesystem::path(BANKPROOF_SOURCE) / "properties/golden/ptx";
    std::vector<Golden> found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
      if (entry.path().extension() != ".ptx") continue;
      std::ifstream file(entry.path());
      found.push_back({entry.path().lexically_relative(root).string(),
                       std::string(std::istreambuf_iterator<char>(file), {})});
    }
    std::sort(found.begin(), found.end(),
              [](const Golden& a, const Golden& b) { return a.name < b.name; });
    return found;
  }();
  return files;
}

inline Module golden(const std::string& name) {
  for (const Golden& file : golden_files()) {
    if (file.name == name) return parse(file.text, name);
  }
  ADD_FAILURE() << "no golden file " << name;
  return {};
}

}  // namespace bankproof::ptx
