// Reads bytes from descriptors and memory; see bytes.hpp.
#include "bytes.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "../support/errors.hpp"

namespace bankproof::cli {
namespace {

std::string reason(int error) { return std::generic_category().message(error); }

/// The bytes that remain to be read from a descriptor, if it is a regular file. A size of 0 counts
/// as unknown: files under /proc claim size 0 although they have contents.
std::optional<std::uint64_t> bytes_left(int descriptor) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0) {
    return std::nullopt;
  }
  const off_t here = lseek(descriptor, 0, SEEK_CUR);
  if (here < 0) return std::nullopt;
  return static_cast<std::uint64_t>(std::max<off_t>(status.st_size - here, 0));
}

int open_for_reading(const std::string& path) {
  int descriptor = -1;
  do {
    descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  } while (descriptor < 0 && errno == EINTR);
  if (descriptor < 0) throw InputError(path + ": cannot be opened: " + reason(errno));
  struct stat status {};
  if (fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
    close(descriptor);
    throw InputError(path + ": is a directory, not a file");
  }
  return descriptor;
}

}  // namespace

void ByteInput::fail(const std::string& text) const { throw InputError(name_ + ": " + text); }

std::size_t ByteInput::read(std::span<std::byte> buffer) {
  const std::size_t from_peeked = std::min(buffer.size(), peeked_end_ - peeked_begin_);
  std::copy_n(peeked_.begin() + static_cast<std::ptrdiff_t>(peeked_begin_), from_peeked,
              buffer.begin());
  peeked_begin_ += from_peeked;
  std::size_t filled = from_peeked;
  while (filled < buffer.size()) {
    const std::size_t count = read_some(buffer.subspan(filled));
    if (count == 0) break;
    filled += count;
  }
  if (remaining_) *remaining_ -= std::min<std::uint64_t>(*remaining_, filled);
  return filled;
}

std::string_view ByteInput::peek(std::size_t count) {
  const std::size_t have = peeked_end_ - peeked_begin_;
  std::copy_n(peeked_.begin() + static_cast<std::ptrdiff_t>(peeked_begin_), have, peeked_.begin());
  peeked_begin_ = 0;
  peeked_end_ = have;
  const std::size_t wanted = std::min(count, longest_peek);
  while (peeked_end_ < wanted) {
    const std::size_t more =
        read_some(std::span(peeked_).subspan(peeked_end_, wanted - peeked_end_));
    if (more == 0) break;
    peeked_end_ += more;
  }
  return {reinterpret_cast<const char*>(peeked_.data()), std::min(wanted, peeked_end_)};
}

std::optional<std::uint64_t> ByteInput::remaining() const { return remaining_; }

MemoryInput::MemoryInput(std::string_view bytes, std::string name, bool size_known,
                         std::size_t most_at_once)
    : ByteInput(std::move(name),
                size_known ? std::optional<std::uint64_t>(bytes.size()) : std::nullopt),
      bytes_(bytes),
      most_at_once_(most_at_once) {}

std::size_t MemoryInput::read_some(std::span<std::byte> buffer) {
  const std::size_t count = std::min({buffer.size(), bytes_.size(), most_at_once_});
  std::memcpy(buffer.data(), bytes_.data(), count);
  bytes_.remove_prefix(count);
  return count;
}

FileInput::FileInput(const std::string& path) : FileInput(open_for_reading(path), path, true) {}

FileInput::FileInput(int descriptor, std::string name)
    : FileInput(descriptor, std::move(name), false) {}

FileInput::FileInput(int descriptor, std::string name, bool owned)
    : ByteInput(std::move(name), bytes_left(descriptor)), descriptor_(descriptor), owned_(owned) {}

FileInput::~FileInput() {
  if (owned_) close(descriptor_);
}

std::size_t FileInput::read_some(std::span<std::byte> buffer) {
  for (;;) {
    const ssize_t count = ::read(descriptor_, buffer.data(), buffer.size());
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno != EINTR) fail("cannot be read: " + reason(errno));
  }
}

}  // namespace bankproof::cli
