// Z3 through its library; cvc5 through a file and a pipe.
#include "solvers.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>

namespace bankproof::proofs {
namespace {

/// A file that is gone in the end.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text) {
    const char* folder = std::getenv("TMPDIR");
    path_ = std::string(folder != nullptr ? folder : "/tmp") + "/bankproof-XXXXXX";
    const int descriptor = mkstemp(path_.data());
    if (descriptor < 0) throw std::runtime_error("cannot make a file in " + path_);
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(fdopen(descriptor, "w"),
                                                               std::fclose);
    if (std::fwrite(text.data(), 1, text.size(), file.get()) != text.size()) {
      throw std::runtime_error("cannot write " + path_);
    }
  }
  TemporaryFile(const TemporaryFile&) = delete;
  ~TemporaryFile() { unlink(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// In single quotes, for a shell.
std::string quoted(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

struct Ran {
  std::string output;
  int exit_code;
};

Ran run(const std::string& command) {
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
  Ran ran{};
  std::array<char, 4096> part{};
  while (const std::size_t read = std::fread(part.data(), 1, part.size(), pipe)) {
    ran.output.append(part.data(), read);
  }
  const int status = pclose(pipe);
  ran.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return ran;
}

Reply reply_of(const std::string& line) {
  if (line == "sat") return {Answer::satisfiable, {}};
  if (line == "unsat") return {Answer::unsatisfiable, {}};
  if (line.starts_with("unknown")) return {Answer::unknown, line};
  return {Answer::error, line.empty() ? "no answer" : line};
}

}  // namespace

std::string question(z3::context& context, const std::vector<z3::expr>& assertions) {
  z3::solver solver(context);
  for (const z3::expr& assertion : assertions) solver.add(assertion);
  return "(set-logic ALL)\n" + solver.to_smt2();
}

Reply ask_z3(z3::context& context, const std::vector<z3::expr>& assertions, const Limits& limits) {
  z3::solver solver(context, z3::solver::simple());
  z3::params parameters(context);
  parameters.set("rlimit", limits.z3_steps);
  parameters.set("timeout", 1000 * limits.seconds);
  solver.set(parameters);
  for (const z3::expr& assertion : assertions) solver.add(assertion);
  switch (solver.check()) {
    case z3::sat:
      return {Answer::satisfiable, {}};
    case z3::unsat:
      return {Answer::unsatisfiable, {}};
    default:
      return {Answer::unknown, solver.reason_unknown()};
  }
}

std::vector<Reply> ask_cvc5(const std::vector<std::string>& questions, const Limits& limits) {
  std::string script;
  for (const std::string& question : questions) script += question + "(reset)\n";
  const TemporaryFile file(script);
  // The program minds the clock itself, for each question; `timeout` minds the program.
  const std::size_t guard = limits.seconds * (questions.size() + 1);
  const Ran ran = run(fmt::format(
      "timeout --kill-after=1 {} {} -q --lang smt2 --rlimit-per={} --tlimit-per={} {} 2>&1", guard,
      quoted(limits.cvc5), limits.cvc5_steps, 1000 * limits.seconds, quoted(file.path())));
  if (ran.exit_code == 127) {
    return {questions.size(), Reply{Answer::error, limits.cvc5 + " is not installed"}};
  }
  std::vector<Reply> replies;
  std::istringstream lines(ran.output);
  for (std::string line; replies.size() < questions.size() && std::getline(lines, line);) {
    replies.push_back(reply_of(line));
  }
  const bool late = ran.exit_code == 124 || ran.exit_code == 137;
  const Reply missing = late ? Reply{Answer::unknown, fmt::format("no answer in {} s", guard)}
                             : Reply{Answer::error, "no answer"};
  replies.resize(questions.size(), missing);
  if (std::string rest; std::getline(lines, rest)) {
    return {questions.size(), Reply{Answer::error, "more answers than questions: " + rest}};
  }
  return replies;
}

}  // namespace bankproof::proofs
