// See launch_state.hpp.
#include "launch_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

#include "../../ptx/syntax/printer.hpp"

namespace bankproof::cuda {
namespace {

using Json = nlohmann::ordered_json;

void write_file(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream out(path, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out) throw std::runtime_error(path.string() + " cannot be written");
}

std::string_view chars_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Writes the files that launch.json names.
class Contents {
 public:
  explicit Contents(const std::filesystem::path& folder) : folder_(folder) {}

  /// "u8:64=FOLDER/0.bin", or what says the same without a file.
  std::string of(const std::string& name, std::span<const std::byte> bytes) const {
    const std::string type = fmt::format("u8:{}", bytes.size());
    const auto is_zero = [](std::byte byte) { return byte == std::byte{0}; };
    if (std::all_of(bytes.begin(), bytes.end(), is_zero)) return type + "=zeros";
    const std::filesystem::path path = folder_ / (name + ".bin");
    write_file(path, chars_of(bytes));
    return type + "=" + path.string();
  }

 private:
  const std::filesystem::path& folder_;
};

Json json_of(const LaunchState::BufferState& buffer, const std::string& number,
             const Contents& contents) {
  if (buffer.contents.empty()) return {{"name", buffer.name}, {"freed", true}};
  Json json = {{"name", buffer.name}, {"contents", contents.of(number, buffer.contents)}};
  for (const ptx::ByteRange& range : buffer.undefined) {
    json["undefined"].push_back({range.begin, range.end});
  }
  return json;
}

std::string hexadecimal(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned>(byte));
  return text;
}

}  // namespace

void write_launch(const std::filesystem::path& folder, const LaunchState& state,
                  const KernelFile& file, const std::string& kernel, const ptx::LaunchShape& shape,
                  std::span<const ArgumentBytes> arguments) {
  const Contents contents(folder);
  Json json = {
      {"buffers", Json::object()}, {"symbols", Json::object()}, {"launches", Json::array()}};
  for (std::size_t k = 0; k < state.buffers.size(); ++k) {
    const std::string number = std::to_string(k);
    json["buffers"][number] = json_of(state.buffers[k], number, contents);
  }
  json["heap"] = {{"bytes", state.heap_bytes}, {"allocations", Json::array()}};
  for (std::size_t k = 0; k < state.heap.size(); ++k) {
    json["heap"]["allocations"].push_back(
        json_of(state.heap[k], fmt::format("heap-{}", k), contents));
  }
  for (const auto& [name, buffer] : state.globals) {
    json["symbols"][name] = fmt::format("buffer:{}", buffer);
  }
  for (const auto& [name, bytes] : state.constants) {
    json["symbols"][name] = contents.of(fmt::format("constant-{}", json["symbols"].size()), bytes);
  }
  Json launch = {{"kernel", kernel},
                 {"grid", shape.grid},
                 {"block", shape.block},
                 {"shared", shape.dynamic_shared_bytes},
                 {"arguments", Json::array()}};
  for (const ArgumentBytes& argument : arguments) {
    launch["arguments"].push_back("bytes:" + hexadecimal(argument.bytes));
  }
  json["launches"].push_back(std::move(launch));
  write_file(folder / "kernel.ptx", ptx::print(file.module));
  write_file(folder / "launch.json", json.dump(1) + "\n");
}

}  // namespace bankproof::cuda
