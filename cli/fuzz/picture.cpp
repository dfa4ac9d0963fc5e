// Fuzz target for the reader of pictures. The reader gives the same result whether it gets a file
// at once or in pieces. A picture that it accepts is the same after it is written and read again.
#include "../readers/picture.hpp"

#include "support.hpp"

namespace bankproof::cli {
namespace {

struct Found {
  std::optional<Picture> picture;
  std::string error;
};

Found look_at(MemoryInput&& input) {
  Found found;
  try {
    found.picture = read_picture(input);
  } catch (const InputError& error) {
    found.error = error.what();
    require(found.error.find('\n') == std::string::npos);
  }
  return found;
}

}  // namespace
}  // namespace bankproof::cli

// NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer calls.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bankproof::cli;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const Found found = look_at(MemoryInput(bytes));
  const Found from_pipe = look_at(MemoryInput(bytes, "input", false, size % 7 + 1));
  require(found.error == from_pipe.error && found.picture == from_pipe.picture);
  if (!found.picture) return 0;
  const Picture& picture = *found.picture;
  require(begins_picture(bytes.substr(0, 2)));
  require(!picture.values.empty());
  require(picture.values.size() == picture.rows * picture.columns * picture.channels);
  require(
      std::ranges::all_of(picture.values, [&](auto value) { return value <= picture.maximum; }));
  require(look_at(MemoryInput(as_netpbm(picture))).picture == picture);
  return 0;
}
