// The debug information of several modules in one: each module numbers its source files from 1, and
// names its debug strings `$L__info_string0`, `$L__info_string1`, ….
//
// A file of several modules, such as a header, keeps one number, since reports add up the counts of
// a line by file number. For example, of two modules with the files {1: a.cu, 2: sum.cuh} and
// {1: b.cu, 2: sum.cuh}, the merged files are {1: a.cu, 2: sum.cuh, 3: b.cu}.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "syntax.hpp"

namespace bankproof::ptx {

/// A name that is not in `taken`, into which it is put: the name itself, or with the suffix and a
/// number.
std::string unused_name(const std::string& name, const std::string& suffix,
                        std::unordered_set<std::string>& taken);

class MergedLines {
 public:
  /// Takes over the files and strings of the module, and renumbers the .loc of its functions.
  void take(Module& module);

  std::vector<SourceFile> files;
  std::vector<DebugString> strings;

 private:
  using Numbers = std::unordered_map<std::uint32_t, std::uint32_t>;
  using Labels = std::unordered_map<std::string, std::string>;

  Numbers merge_files(const Module& module);
  void renumber(SourcePoint& point, Numbers& numbers);
  void renumber(Function& function, Numbers& numbers, Labels& labels);

  std::unordered_map<std::string, std::uint32_t> number_of_;
  std::unordered_set<std::string> labels_;
  std::uint32_t last_ = 0;  // the greatest number given so far
};

}  // namespace bankproof::ptx
