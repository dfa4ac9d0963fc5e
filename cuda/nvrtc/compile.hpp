// Compiles the source of a running program to PTX, by nvcc or clang, as a file of a temporary
// folder beside the headers that the program gives.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace bankproof::cuda::nvrtc {

/// The source that a program has NVRTC compile.
struct Source {
  std::string text;
  std::string name;  // of the file, in messages and line tables
  std::vector<std::pair<std::string, std::string>> headers;  // the name in #include, and the text
  std::vector<std::string> expressions;                      // whose names in the PTX are wanted
};

struct Compiled {
  std::string ptx;  // empty if there is none
  std::string log;
  std::map<std::string, std::string> names;  // in the PTX, by the expression
  bool is_option_unknown = false;
};

/// Never throws for what the program gives: the log says what is wrong.
Compiled compile_source(const Source& source, const std::vector<std::string>& options);

/// Whether the name is that of a file in the folder of the source: not "/x.h" or "../x.h".
bool is_inner_name(const std::string& name);

}  // namespace bankproof::cuda::nvrtc
