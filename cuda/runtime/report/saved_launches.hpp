// --save-launches: each launch with a new fault is saved as a folder that `bankproof kernel` runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <tuple>

#include "../../session/launch_state.hpp"

namespace bankproof::cuda {

class SavedLaunches {
 public:
  /// Saves into the folder $BANKPROOF_SAVE_LAUNCHES, which exists; null if that is not set.
  static std::unique_ptr<SavedLaunches> of_environment();

  explicit SavedLaunches(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Saves the launch with the number, unless all its faults are those of saved launches. The
  /// faults get the command that runs the launch alone. Throws std::runtime_error.
  void save(ptx::KernelReport& report, std::uint64_t number, const LaunchState& before,
            const KernelFile& file, const std::string& kernel, const ptx::LaunchShape& shape,
            std::span<const ArgumentBytes> arguments);

  /// Gives the faults the commands of the launches that were saved for them.
  void name_in(ptx::KernelReport& report) const;

 private:
  using Key = std::tuple<ptx::FaultKind, std::string, std::uint32_t>;
  static Key key_of(const ptx::FaultReport& fault);

  std::filesystem::path folder_;
  std::map<Key, std::string> commands_;
};

}  // namespace bankproof::cuda
