// Checked writes, and files replaced in one step; see output.hpp.
#include "output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "../../text/typed.hpp"
#include "errors.hpp"

namespace bankproof::cli {
namespace {

[[noreturn]] void fail(const std::string& what, int error) {
  throw InputError(what + ": cannot be written: " + std::generic_category().message(error));
}

bool is_standard_output(const std::string& path) { return path.empty() || path == "-"; }

/// Writes to a descriptor that was open before this program started; `name` is for messages.
void write_to_open(int descriptor, const std::string& name, std::string_view content) {
  const int error = write_all(descriptor, content);
  if (error == EPIPE && descriptor == STDOUT_FILENO) throw ReaderGone(name + ": nobody reads it");
  if (error != 0) fail(name, error);
}

class Descriptor {
 public:
  explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }

  int get() const { return descriptor_; }

  /// Returns 0 or an errno: some file systems report a full disk only here.
  int close() {
    if (descriptor_ < 0) return 0;
    const int result = ::close(descriptor_) == 0 ? 0 : errno;
    descriptor_ = -1;
    return result;
  }

 private:
  int descriptor_;
};

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

/// The N of /proc/self/fd/N, the target of /dev/stdout. Opening that path again would start at the
/// beginning of the file, so the caller writes to the descriptor itself.
std::optional<int> own_descriptor(const std::string& path) {
  for (const std::string prefix : {"/proc/self/fd/", "/dev/fd/"}) {
    const std::string number = path.starts_with(prefix) ? path.substr(prefix.size()) : "";
    if (number.empty() || number.size() > 6) continue;
    if (number.find_first_not_of("0123456789") == std::string::npos) return std::stoi(number);
  }
  return std::nullopt;
}

/// Follows symbolic links by name, so that a link's target need not exist yet.
std::string resolved(const std::string& path) {
  std::string target = path;
  for (int links = 0; links < 40; ++links) {
    std::array<char, PATH_MAX> text;
    const ssize_t length = readlink(target.c_str(), text.data(), text.size());
    if (length < 0 || own_descriptor(target)) return target;
    const std::string link(text.data(), static_cast<std::size_t>(length));
    target = link.starts_with('/') ? link : folder_of(target) + link;
  }
  fail(path, ELOOP);
}

int open_retrying(const std::string& path, int flags) {
  for (;;) {
    const int descriptor = open(path.c_str(), flags | O_CLOEXEC, 0666);
    if (descriptor >= 0 || errno != EINTR) return descriptor;
  }
}

void write_directly(const std::string& path, const std::string& target, std::string_view content) {
  Descriptor file(open_retrying(target, O_WRONLY | O_NOCTTY));
  if (file.get() < 0) fail(path, errno);
  if (const int error = write_all(file.get(), content)) fail(path, error);
  if (const int error = file.close()) fail(path, error);
}

/// Writes all of a new file and gives it the mode, and if possible the owner, of the file that it
/// replaces.
int fill(Descriptor& file, std::string_view content, const struct stat* replaced) {
  if (const int error = write_all(file.get(), content)) return error;
  if (replaced != nullptr) {
    // Only root may give files away; other users then own the new file.
    [[maybe_unused]] const int ignored = fchown(file.get(), replaced->st_uid, replaced->st_gid);
    if (fchmod(file.get(), replaced->st_mode & 07777) != 0) return errno;
  }
  if (fsync(file.get()) != 0) return errno;
  return file.close();
}

void replace(const std::string& path, const std::string& target, std::string_view content,
             const struct stat* replaced) {
  std::string temporary;
  int descriptor = -1;
  for (int attempt = 0; attempt < 100 && descriptor < 0; ++attempt) {
    temporary = folder_of(target) + ".bankproof-" + std::to_string(getpid()) + "-" +
                std::to_string(attempt);
    descriptor = open_retrying(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
    if (descriptor < 0 && errno != EEXIST) fail(path, errno);
  }
  if (descriptor < 0) fail(path, EEXIST);
  Descriptor file(descriptor);
  int error = fill(file, content, replaced);
  if (error == 0 && rename(temporary.c_str(), target.c_str()) != 0) error = errno;
  if (error != 0) {
    unlink(temporary.c_str());
    fail(path, error);
  }
}

}  // namespace

int write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t count = write(descriptor, content.data(), content.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    content.remove_prefix(static_cast<std::size_t>(count));
  }
  return 0;
}

void refuse_input_as_output(const std::string& input, const std::string& output) {
  if (is_standard_output(output)) return;
  struct stat in {};
  struct stat out {};
  if ((input == "-" ? fstat(STDIN_FILENO, &in) : stat(input.c_str(), &in)) != 0) return;
  if (stat(output.c_str(), &out) != 0 || !S_ISREG(out.st_mode)) return;
  if (in.st_dev == out.st_dev && in.st_ino == out.st_ino) {
    throw UsageError("the output is the input: " + output);
  }
}

void write_output(const std::string& path, std::string_view content) {
  if (is_standard_output(path)) return write_to_open(STDOUT_FILENO, "standard output", content);
  const std::string target = resolved(path);
  if (const auto descriptor = own_descriptor(target)) {
    return write_to_open(*descriptor, path, content);
  }
  struct stat status {};
  if (stat(target.c_str(), &status) != 0) {
    if (errno != ENOENT) fail(path, errno);
    replace(path, target, content, nullptr);
  } else if (!S_ISREG(status.st_mode)) {
    write_directly(path, target, content);  // fails for a directory
  } else {
    // A rename needs permission for the folder only, so check the file's own.
    if (faccessat(AT_FDCWD, target.c_str(), W_OK, AT_EACCESS) != 0) fail(path, errno);
    replace(path, target, content, &status);
  }
}

void require_writable(const std::string& path) {
  if (is_standard_output(path)) return;
  const std::string target = resolved(path);
  if (own_descriptor(target)) return;
  const auto require = [&](const std::string& what) {
    if (faccessat(AT_FDCWD, what.c_str(), W_OK, AT_EACCESS) != 0) fail(path, errno);
  };
  struct stat status {};
  const bool is_there = stat(target.c_str(), &status) == 0;
  if (!is_there && errno != ENOENT) fail(path, errno);
  if (is_there && S_ISDIR(status.st_mode)) fail(path, EISDIR);
  if (is_there) require(target);
  if (is_there && !S_ISREG(status.st_mode)) return;
  // write_output writes a temporary file to the same folder.
  const std::string folder = folder_of(target);
  require(folder.empty() ? "." : folder);
}

void require_different_files(const std::vector<std::string>& outputs) {
  std::vector<std::pair<std::string, std::string>> files;  // canonical path, name in messages
  files.reserve(outputs.size());
  for (const std::string& file : outputs) {
    const bool is_report = &file == &outputs.back();
    if (file.empty() && !is_report) continue;
    if (is_standard_output(file)) {
      files.emplace_back("-", "standard output");
      continue;
    }
    std::error_code error;
    const auto path = std::filesystem::weakly_canonical(resolved(file), error);
    files.emplace_back(error ? file : path.string(), in_quotes(file));
  }
  std::ranges::sort(files);
  const auto twice = std::ranges::adjacent_find(
      files, [](const auto& one, const auto& next) { return one.first == next.first; });
  if (twice == files.end()) return;
  throw UsageError("two outputs go to " + twice->second + ": give each a file of its own");
}

}  // namespace bankproof::cli
