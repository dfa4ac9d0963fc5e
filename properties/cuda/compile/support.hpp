// Helpers of the tests of the compilers: the compilers found, the kernels, and files.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "../../../cuda/compile/compile.hpp"

namespace bankproof::cuda {

inline std::filesystem::path tree() { return BANKPROOF_SOURCE; }

/// The compilers found, each version once: clang++ is omitted if a program with its version in the
/// name is there. Prints missing compilers to standard error, where nobody overlooks them.
inline const std::vector<Compiler>& compilers() {
  static const std::vector<Compiler> found = [] {
    std::vector<Compiler> result = find_nvcc();
    if (result.empty()) {
      std::cerr << "\n*** THERE IS NO NVCC: NOTHING IS TRIED WITH NVIDIA'S COMPILER ***\n\n";
    }
    std::vector<Compiler> clangs = find_clangs();
    if (clangs.empty()) std::cerr << "\n*** THERE IS NO CLANG++ THAT MAKES PTX ***\n\n";
    if (clangs.size() > 1) {
      std::erase_if(clangs, [](const Compiler& one) { return one.program == "clang++"; });
    }
    result.insert(result.end(), clangs.begin(), clangs.end());
    return result;
  }();
  return found;
}

/// All .cu files of a folder of the tree, sorted.
inline std::vector<std::filesystem::path> kernels_in(const std::string& folder) {
  std::vector<std::filesystem::path> result;
  for (const auto& entry : std::filesystem::directory_iterator(tree() / folder)) {
    if (entry.path().extension() == ".cu") result.push_back(entry.path());
  }
  std::sort(result.begin(), result.end());
  return result;
}

/// The examples, the canaries, and the files that use all headers.
inline std::vector<std::filesystem::path> all_kernels() {
  std::vector<std::filesystem::path> result;
  for (const char* const folder :
       {"examples/kernels", "properties/mutants", "properties/cuda/compile/sources"}) {
    const std::vector<std::filesystem::path> more = kernels_in(folder);
    result.insert(result.end(), more.begin(), more.end());
  }
  return result;
}

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace bankproof::cuda
