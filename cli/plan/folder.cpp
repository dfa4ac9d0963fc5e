// See folder.hpp. A folder counts as a plan if its plan.json has a plan's format and all its files
// have names of plan files. So a mistyped path never removes any other folder.
#include "folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>

#include "../../text/typed.hpp"
#include "../support/errors.hpp"
#include "../support/interruption.hpp"
#include "../support/output.hpp"
#include "../support/shown.hpp"
#include "format.hpp"

namespace bankproof::cli {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, int error) {
  throw InputError(shown(path) + ": cannot be written: " + std::generic_category().message(error));
}

bool is_plan_file(const std::string& name) {
  return std::find(plan_file_names.begin(), plan_file_names.end(), name) != plan_file_names.end();
}

/// A new folder, removed with all its files unless it has been moved away.
class Temporary {
 public:
  explicit Temporary(const std::string& path) {
    const std::string parent = fs::path(path).parent_path().string();
    for (int attempt = 0; attempt < 100; ++attempt) {
      path_ =
          fmt::format("{}.bankproof-{}-{}", parent.empty() ? "" : parent + "/", getpid(), attempt);
      if (mkdir(path_.c_str(), 0777) == 0) return;
      if (errno != EEXIST) fail(path, errno);
    }
    fail(path, EEXIST);
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// The absolute path of the folder. If its last component is a link, the link stays unresolved,
/// because a move acts on the link itself.
std::string canonical(const std::string& path) {
  std::string trimmed = path;
  while (trimmed.size() > 1 && trimmed.ends_with('/')) trimmed.pop_back();
  const fs::path name = fs::path(trimmed).filename();
  std::error_code error;
  if (name.empty() || name == "." || name == "..") {
    const fs::path real = fs::canonical(trimmed, error);
    if (error) fail(path, error.value());
    return real.string();
  }
  const fs::path folder = fs::absolute(trimmed).parent_path();
  const fs::path parent = fs::canonical(folder, error);
  if (error == std::errc::no_such_file_or_directory) {
    throw InputError(shown(path) + ": cannot be written: there is no folder " +
                     shown(folder.string()) + " to put it in");
  }
  if (error) fail(path, error.value());
  return (parent / name).string();
}

/// Whether the file is the plan.json of a plan. Reads only short regular files.
bool is_plan_json(const std::string& path) {
  constexpr std::uintmax_t longest = std::uintmax_t{1} << 20;
  std::error_code error;
  if (fs::symlink_status(path, error).type() != fs::file_type::regular) return false;
  if (fs::file_size(path, error) > longest || error) return false;
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const auto json = nlohmann::json::parse(text, nullptr, false);
  return json.is_object() && json.value("format", nlohmann::json()) == plan_format;
}

void sync_folder(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

/// Moves the folder by renameat2. On a file system that cannot exchange folders, it takes two
/// renames, between which there is no folder at `to`.
int move_folder(const std::string& from, const std::string& to, unsigned flags) {
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), flags) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return -1;
  if (flags == RENAME_NOREPLACE) {
    struct stat status {};
    if (lstat(to.c_str(), &status) != 0) return rename(from.c_str(), to.c_str());
    errno = EEXIST;
    return -1;
  }
  const std::string aside = from + "-replaced";
  if (rename(to.c_str(), aside.c_str()) != 0) return -1;
  if (rename(from.c_str(), to.c_str()) != 0) {
    const int error = errno;
    [[maybe_unused]] const int ignored = rename(aside.c_str(), to.c_str());
    errno = error;
    return -1;
  }
  return rename(aside.c_str(), from.c_str());
}

}  // namespace

void require_replaceable_plan(const std::string& path) {
  const std::string target = canonical(path);
  const std::string parent = fs::path(target).parent_path().string();
  if (access(parent.c_str(), W_OK | X_OK) != 0) fail(path, errno);
  struct stat status {};
  if (lstat(target.c_str(), &status) != 0) {
    if (errno == ENOENT) return;
    fail(path, errno);
  }
  const auto refuse = [&](const std::string& why) {
    throw UsageError("-o " + in_quotes(path) + ": " + why +
                     "; give a folder that does not exist yet, or a plan to replace");
  };
  if (S_ISLNK(status.st_mode)) refuse("exists and is a link");
  if (!S_ISDIR(status.st_mode)) refuse("exists and is not a folder");
  if (access(target.c_str(), R_OK | W_OK | X_OK) != 0) fail(path, errno);
  if (!is_plan_json(target + "/" + std::string(plan_json_name))) refuse("exists and is not a plan");
  for (const auto& entry : fs::directory_iterator(target)) {
    const std::string name = entry.path().filename().string();
    if (!is_plan_file(name) || entry.symlink_status().type() != fs::file_type::regular) {
      refuse("has " + in_quotes(name) + ", which is not part of a plan");
    }
  }
}

void write_plan_folder(const std::string& path, const std::vector<FolderFile>& files) {
  require_replaceable_plan(path);
  const std::string target = canonical(path);
  const Interruption interruption;  // outlives the temporary folder
  const Temporary temporary(target);
  for (const FolderFile& file : files) {
    write_output(temporary.path() + "/" + file.name, file.content());
    if (Interruption::requested()) return;
  }
  sync_folder(temporary.path());
  if (move_folder(temporary.path(), target, RENAME_NOREPLACE) == 0) return;
  if (errno != EEXIST) fail(path, errno);
  require_replaceable_plan(path);  // another process may have made it just now
  if (move_folder(temporary.path(), target, RENAME_EXCHANGE) != 0) fail(path, errno);
}

}  // namespace bankproof::cli
