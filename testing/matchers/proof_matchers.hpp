// GoogleMock matchers that prove claims about a CUDA kernel, for all its inputs and launches:
//
//     const AllLaunches transpose{.file = "transpose.cu", .kernel = "transpose_padded",
//                                 .block = "32,8", .where = {"n == 32 * gridDim.x"}};
//     EXPECT_THAT(transpose, Proved("race,blocks,banks"));
//     EXPECT_THAT(broken, Refuted("banks"));
//
// They run `bankproof prove --kernel` (docs/proving-kernels.md) and show its report. The program is
// the one that the variable BANKPROOF of the environment names, that of the package
// (BANKPROOF_PROGRAM), or the first one in PATH.
#pragma once

#include <gmock/gmock.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace bankproof::testing {

/// All launches of a kernel of which the statements hold. What is empty is not stated.
struct AllLaunches {
  std::string file;                            // .cu or .ptx; relative to the test's folder
  std::string kernel{};                        // needed if the file has several
  std::string block{};                         // "32,8"
  std::string grid{};                          // "64,64"
  std::vector<std::string> where{};            // "n <= 1 << 20"
  std::vector<std::string> buffers{};          // "out=n*n"
  std::vector<std::string> symbols{};          // variables that the host writes
  std::string shared{};                        // bytes of dynamic shared memory: "4*blockDim.x"
  std::string compiler{};                      // "nvcc" or "clang"
  std::vector<std::string> compile_options{};  // "-DROWS=32"
  std::vector<std::string> more{};             // further words: "--address", "15:tile=threadIdx.x"
};

inline void PrintTo(const AllLaunches& launches, std::ostream* out) {
  *out << "all launches of " << launches.kernel << (launches.kernel.empty() ? "" : " in ")
       << launches.file;
}

namespace detail {

inline std::vector<std::string> words_of(const AllLaunches& launches, const std::string& claims) {
  std::vector<std::string> words{"prove", "--kernel", launches.file};
  if (!launches.kernel.empty()) words.push_back(launches.kernel);
  const auto add = [&](const std::string& option, const std::string& value) {
    if (!value.empty()) words.push_back(option + "=" + value);
  };
  add("--claim", claims);
  add("--block", launches.block);
  add("--grid", launches.grid);
  add("--shared", launches.shared);
  add("--compiler", launches.compiler);
  for (const std::string& one : launches.where) add("--where", one);
  for (const std::string& one : launches.buffers) add("--buffer", one);
  for (const std::string& one : launches.symbols) add("--symbol", one);
  for (const std::string& one : launches.compile_options) add("--compile-option", one);
  words.insert(words.end(), launches.more.begin(), launches.more.end());
  return words;
}

inline std::string program_of_proofs() {
  if (const char* const program = std::getenv("BANKPROOF")) return program;
#ifdef BANKPROOF_PROGRAM
  return BANKPROOF_PROGRAM;
#else
  return "bankproof";
#endif
}

inline std::string quoted_for_shell(const std::string& word) {
  std::string all = "'";
  for (const char c : word) all += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return all + "'";
}

/// How `bankproof prove --kernel` ended, and its report.
struct ProofRun {
  int exit_code = 0;
  std::string report;
};

/// Throws std::runtime_error if there is no report: the program does not run, finds a mistake in
/// the statements, or cannot compile the file. It says why on standard error.
inline ProofRun run_of(const AllLaunches& launches, const std::string& claims) {
  std::string command = quoted_for_shell(program_of_proofs());
  for (const std::string& word : words_of(launches, claims))
    command += " " + quoted_for_shell(word);
  FILE* const output = popen(command.c_str(), "r");
  if (output == nullptr) throw std::runtime_error("no process can be started for " + command);
  ProofRun run;
  for (int c = std::fgetc(output); c != EOF; c = std::fgetc(output)) {
    run.report += static_cast<char>(c);
  }
  const int status = pclose(output);
  run.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  // 0: all claims are proved; 1: one is refuted; 3: one is open.
  const bool is_decided = run.exit_code == 0 || run.exit_code == 1 || run.exit_code == 3;
  if (!is_decided || run.report.empty()) {
    throw std::runtime_error(command + " ends with " + std::to_string(run.exit_code) +
                             " and has no report; standard error says why");
  }
  return run;
}

inline bool ends_with(int exit_code, const AllLaunches& launches, const std::string& claims,
                      ::testing::MatchResultListener* listener) {
  const ProofRun run = run_of(launches, claims);
  if (listener->IsInterested()) *listener << "of which bankproof says:\n" << run.report;
  return run.exit_code == exit_code;
}

}  // namespace detail

/// All of these claims are proved by both solvers: "race,blocks,banks=2". `Not(Proved(…))` also
/// holds of a claim that is open; `Refuted` does not.
MATCHER_P(Proved, claims,
          (negation ? "do not have proved: " : "have proved: ") + std::string(claims)) {
  return detail::ends_with(0, arg, claims, result_listener);
}

/// One of these claims is refuted by a launch that the reference machine has run.
MATCHER_P(Refuted, claims,
          (negation ? "do not have refuted: " : "have refuted: ") + std::string(claims)) {
  return detail::ends_with(1, arg, claims, result_listener);
}

}  // namespace bankproof::testing
