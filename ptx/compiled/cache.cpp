// Reads and writes the files; see cache.hpp. A file is written under another name and then renamed:
// no one ever sees a part of it.
#include "cache.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

namespace bankproof::ptx::compiled {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view magic = "bankproof object 1\n";
constexpr std::string_view extension = ".object";

/// FNV-1a.
std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t sum = 0xcbf29ce484222325;
  for (const char c : bytes) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return sum;
}

std::string as_bytes(std::uint64_t number) {
  std::string bytes(sizeof number, '\0');
  std::memcpy(bytes.data(), &number, sizeof number);
  return bytes;
}

/// Magic, the key and its length, the object and its length, and the checksum of all that.
std::string file_of(std::string_view key, std::string_view object) {
  std::string file(magic);
  file += as_bytes(key.size());
  file += key;
  file += as_bytes(object.size());
  file += object;
  return file + as_bytes(checksum(file));
}

/// Whether it belongs to this user, and no one else can write it.
bool is_own(const struct stat& of) {
  return of.st_uid == geteuid() && (of.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

bool is_own_folder(const std::string& folder) {
  struct stat of {};
  return stat(folder.c_str(), &of) == 0 && S_ISDIR(of.st_mode) && is_own(of);
}

bool is_own_file(const std::string& path) {
  struct stat of {};
  return lstat(path.c_str(), &of) == 0 && S_ISREG(of.st_mode) && is_own(of);
}

const char* variable(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

}  // namespace

std::string cache_folder() {
  if (const char* const folder = variable("BANKPROOF_CACHE")) {
    return std::string_view(folder) == "none" ? "" : folder;
  }
  if (const char* const cache = variable("XDG_CACHE_HOME"))
    return std::string(cache) + "/bankproof";
  if (const char* const home = variable("HOME")) return std::string(home) + "/.cache/bankproof";
  return {};
}

std::string Cache::path_of(std::string_view key) const {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string name;
  for (std::uint64_t sum = checksum(key); name.size() < 16; sum >>= 4U) name += digits[sum & 15U];
  return folder_ + "/" + name + std::string(extension);
}

std::optional<std::string> Cache::find(std::string_view key) const {
  if (folder_.empty() || !is_own_folder(folder_)) return {};
  const std::string path = path_of(key);
  if (!is_own_file(path)) return {};
  std::ifstream in(path, std::ios::binary);
  const std::string file{std::istreambuf_iterator<char>(in), {}};
  const std::string head = std::string(magic) + as_bytes(key.size()) + std::string(key);
  const std::size_t around = head.size() + 2 * sizeof(std::uint64_t);
  if (file.size() <= around || !file.starts_with(head)) return {};
  std::string object = file.substr(head.size() + sizeof(std::uint64_t), file.size() - around);
  if (file_of(key, object) != file) return {};
  return object;
}

void Cache::keep(std::string_view key, std::string_view object) const {
  if (folder_.empty()) return;
  std::error_code error;
  const bool is_new = fs::create_directories(folder_, error);
  if (is_new) chmod(folder_.c_str(), S_IRWXU);
  if (!is_own_folder(folder_)) return;
  std::string temporary = folder_ + "/new-XXXXXX";
  const int descriptor = mkstemp(temporary.data());
  if (descriptor < 0) return;
  const std::string file = file_of(key, object);
  const bool written =
      write(descriptor, file.data(), file.size()) == static_cast<ssize_t>(file.size());
  const bool closed = close(descriptor) == 0;
  if (!written || !closed || rename(temporary.c_str(), path_of(key).c_str()) != 0) {
    unlink(temporary.c_str());
  }
  remove_oldest();
}

void Cache::remove_oldest() const {
  struct File {
    fs::file_time_type time;
    std::uint64_t bytes;
    fs::path path;
  };
  std::vector<File> files;
  std::uint64_t all = 0;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, error)) {
    std::error_code gone;  // another process may remove it meanwhile
    const File file{entry.last_write_time(gone), entry.file_size(gone), entry.path()};
    if (gone || file.path.extension() != extension) continue;
    all += file.bytes;
    files.push_back(file);
  }
  std::sort(files.begin(), files.end(),
            [](const File& a, const File& b) { return a.time < b.time; });
  for (const File& file : files) {
    if (all <= most_bytes) break;
    fs::remove(file.path, error);
    all -= file.bytes;
  }
}

}  // namespace bankproof::ptx::compiled
