// Object files of compiled kernels, kept on disk. A file holds its whole key, so that a file of
// another kernel, processor or compiler is never taken for the one that is wanted, whatever its
// name; and a checksum, so that a file cut short is not loaded.
//
// Whoever can write into the folder can make this program run code. So the folder and the files
// must belong to the user, and no one else may write them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bankproof::ptx::compiled {

/// $XDG_CACHE_HOME/bankproof, or ~/.cache/bankproof; empty if there is neither. BANKPROOF_CACHE
/// names another folder; if it is `none`, there is no cache.
std::string cache_folder();

class Cache {
 public:
  /// No folder, or one that others can write: nothing is kept.
  explicit Cache(std::string folder) : folder_(std::move(folder)) {}

  std::optional<std::string> find(std::string_view key) const;
  /// Keeps the object. A failure, such as a full disk, has no effect. If the files take more than
  /// `most_bytes` together, the oldest ones are removed.
  void keep(std::string_view key, std::string_view object) const;

  static constexpr std::uint64_t most_bytes = std::uint64_t{64} << 20U;

 private:
  std::string path_of(std::string_view key) const;
  void remove_oldest() const;

  std::string folder_;
};

}  // namespace bankproof::ptx::compiled
