// The command that shows a counterexample again; see reports.hpp.
#include "../../cuda/session/usual_chip.hpp"
#include "reports.hpp"

namespace bankproof::cli {

void add_rerun_words(symbolic::KernelProof& proof, const KernelProofOptions& options) {
  std::vector<std::string> call{"bankproof", "kernel", options.file};
  const auto add = [&](const std::string& option, const std::string& value) {
    if (!value.empty()) call.insert(call.end(), {option, value});
  };
  add("--compiler", options.compiler.name);
  for (const std::string& one : options.compiler.includes) add("-I", one);
  for (const std::string& one : options.compiler.defines) add("-D", one);
  for (const std::string& one : options.compiler.options) call.push_back("--compile-option=" + one);
  add("--kernel", options.name);
  add("--machine", std::string(cuda::usual_chip));
  for (symbolic::Decision& decision : proof.decisions) {
    for (symbolic::Finding& finding : decision.findings) {
      if (!finding.example || !finding.example->replayed) continue;
      std::vector<std::string>& words = finding.example->replayed->words;
      if (!words.empty()) words.insert(words.begin(), call.begin(), call.end());
    }
  }
}

std::string as_shell(const std::vector<std::string>& words) {
  constexpr const char* plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+.,:/@%";
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line;
}

}  // namespace bankproof::cli
