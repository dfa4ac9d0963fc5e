// The program of `bankproof exec`: what it is built from, and its run.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace bankproof::cli {

/// The path of the program, as execvp() would find it. Throws InputError.
std::filesystem::path find_program(const std::string& name);

/// Throws InputError if the program surely cannot load the library of the machine: a CUDA program
/// for another processor, or one that has its own copy of CUDA's runtime. Scripts and programs
/// without device code pass, since they may start or load others.
void require_shared_runtime(const std::filesystem::path& program);

/// How a program ended.
struct Ended {
  int code = 0;    // of exit()
  int signal = 0;  // that killed it, else 0
};

/// Runs the program with these variables of the environment added. Calls `meanwhile` about ten
/// times a second. An interrupt from the terminal reaches the program alone, and signals that end
/// this command are passed on to it. Throws InputError.
Ended run_program_with(const std::filesystem::path& program, const std::vector<std::string>& words,
                       const std::map<std::string, std::string>& environment,
                       const std::function<void()>& meanwhile);

}  // namespace bankproof::cli
