// See folder.hpp. A plan is a folder whose plan.json has the format of one, and that has nothing
// but files of plans: so a slip of the keyboard removes nothing else.
#include "folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include "../../algorithms/permutation/specification.hpp"
#include "../errors.hpp"
#include "../output.hpp"
#include "../shown.hpp"
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

/// A folder of one's own, removed with all that is in it unless it has been moved away.
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

/// The path without slashes at its end.
std::string trimmed(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

void sync_folder(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

}  // namespace

void require_replaceable_plan(const std::string& path) {
  struct stat status {};
  if (lstat(trimmed(path).c_str(), &status) != 0) {
    if (errno == ENOENT) return;
    fail(path, errno);
  }
  const auto refuse = [&](const std::string& why) {
    throw UsageError("-o " + in_quotes(path) + ": " + why +
                     "; give a folder that does not exist yet, or a plan to replace");
  };
  if (!S_ISDIR(status.st_mode)) refuse("is there and is no folder");
  std::ifstream json(trimmed(path) + "/" + std::string(plan_json_name));
  const std::string start{std::istreambuf_iterator<char>(json), std::istreambuf_iterator<char>()};
  if (start.find(plan_format) == std::string::npos) refuse("is there and is no plan");
  for (const auto& entry : fs::directory_iterator(trimmed(path))) {
    const std::string name = entry.path().filename().string();
    if (!is_plan_file(name)) {
      refuse("has " + in_quotes(name) + ", which is no part of a plan");
    }
  }
}

void write_plan_folder(const std::string& path, const std::vector<FolderFile>& files) {
  require_replaceable_plan(path);
  const std::string target = trimmed(path);
  const Temporary temporary(target);
  for (const FolderFile& file : files) {
    write_output(temporary.path() + "/" + file.name, file.content());
  }
  sync_folder(temporary.path());
  if (renameat2(AT_FDCWD, temporary.path().c_str(), AT_FDCWD, target.c_str(), RENAME_NOREPLACE) ==
      0) {
    return;
  }
  if (errno != EEXIST) fail(path, errno);
  require_replaceable_plan(path);  // it may have come just now
  if (renameat2(AT_FDCWD, temporary.path().c_str(), AT_FDCWD, target.c_str(), RENAME_EXCHANGE) !=
      0) {
    fail(path, errno);
  }
}

}  // namespace bankproof::cli
