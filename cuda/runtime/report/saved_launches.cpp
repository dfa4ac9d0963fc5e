// See saved_launches.hpp.
#include "saved_launches.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "../../compile/compile.hpp"

namespace bankproof::cuda {
namespace {

/// The command that runs the launch of the folder as this process has run it.
std::string command_for(const std::filesystem::path& folder) {
  std::vector<std::string> words = {"bankproof", "kernel", folder / "kernel.ptx", "--launch",
                                    folder / "launch.json"};
  for (const auto& [variable, option] :
       {std::pair("BANKPROOF_MACHINE", "--machine"), std::pair("BANKPROOF_SCHEDULE", "--schedule"),
        std::pair("BANKPROOF_RESIDENT", "--resident")}) {
    const char* const value = std::getenv(variable);
    if (value == nullptr || *value == '\0' || std::string(value) == "hmm") continue;
    words.insert(words.end(), {option, value});
  }
  return quoted_for_shell(words);
}

}  // namespace

std::unique_ptr<SavedLaunches> SavedLaunches::of_environment() {
  const char* const folder = std::getenv("BANKPROOF_SAVE_LAUNCHES");
  if (folder == nullptr || *folder == '\0') return nullptr;
  return std::make_unique<SavedLaunches>(folder);
}

SavedLaunches::Key SavedLaunches::key_of(const ptx::FaultReport& fault) {
  return {fault.kind, fault.at.file, fault.at.line};
}

void SavedLaunches::save(ptx::KernelReport& report, std::uint64_t number, const LaunchState& before,
                         const KernelFile& file, const std::string& kernel,
                         const ptx::LaunchShape& shape, std::span<const ArgumentBytes> arguments) {
  const bool is_new = std::any_of(
      report.faults.begin(), report.faults.end(),
      [&](const ptx::FaultReport& fault) { return !commands_.contains(key_of(fault)); });
  if (is_new) {
    std::filesystem::path folder = folder_ / fmt::format("launch-{}", number);
    // Another process of the program may have saved its launch of this number.
    if (!std::filesystem::create_directory(folder)) {
      folder += fmt::format("-{}", getpid());
      std::filesystem::create_directory(folder);
    }
    write_launch(folder, before, file, kernel, shape, arguments);
    const std::string command = command_for(folder);
    for (const ptx::FaultReport& fault : report.faults) {
      commands_.try_emplace(key_of(fault), command);
    }
  }
  name_in(report);
}

void SavedLaunches::name_in(ptx::KernelReport& report) const {
  for (ptx::FaultReport& fault : report.faults) {
    const auto found = commands_.find(key_of(fault));
    if (found != commands_.end()) fault.command = found->second;
  }
}

}  // namespace bankproof::cuda
