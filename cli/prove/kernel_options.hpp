// The options of `prove --kernel`, as typed.
#pragma once

#include <string>
#include <vector>

#include "../support/compiler_options.hpp"

namespace bankproof::cli {

struct KernelProofOptions {
  std::string file;
  std::string name;  // of the kernel; empty: the only one
  TypedCompiler compiler;
  std::string block;
  std::string grid;
  std::vector<std::string> where;
  std::vector<std::string> buffers;
  std::vector<std::string> symbols;  // variables of the module
  std::string shared;
  std::string claims;
  std::vector<std::string> addresses;
  std::vector<std::string> ranges;  // of names in addresses
  bool allow_unknown = false;
  std::string format = "text";
  std::string output;
};

}  // namespace bankproof::cli
