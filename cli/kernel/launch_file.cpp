// The reader of launch files; see request.hpp. Unknown fields are errors.
#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "../../cuda/session/session.hpp"
#include "../readers/text_file.hpp"
#include "../support/errors.hpp"
#include "../support/words.hpp"
#include "additions.hpp"
#include "request.hpp"

namespace bankproof::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t longest = std::size_t{1} << 24;

class LaunchFile {
 public:
  explicit LaunchFile(std::string path) : path_(std::move(path)) {}

  KernelRequest read() {
    const Json file = parsed_json(path_, whole_file(path_, longest, "launch file"));
    request_.file = path_;
    require_keys(file, "the file",
                 {"buffers", "heap", "launches", "save", "symbols", "max_instructions"});
    if (file.contains("buffers")) buffers(file["buffers"]);
    if (file.contains("heap")) heap(file["heap"]);
    if (file.contains("symbols")) symbols(file["symbols"]);
    if (file.contains("max_instructions")) {
      request_.max_instructions = number(file["max_instructions"], "\"max_instructions\"", 1,
                                         std::numeric_limits<std::uint64_t>::max());
    }
    if (!file.contains("launches") || !file["launches"].is_array() || file["launches"].empty()) {
      fail("expected \"launches\", a list of at least one launch");
    }
    for (const Json& one : file["launches"]) launch(one);
    if (file.contains("save")) saves(file["save"]);
    return std::move(request_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw InputError(path_ + ": " + what); }

  void require_keys(const Json& object, const std::string& what,
                    std::initializer_list<std::string_view> known) const {
    if (!object.is_object()) fail(what + " is not an object");
    for (const auto& [key, value] : object.items()) {
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      const std::vector<std::string_view> names(known);
      fail(what + " has an unknown key " + in_quotes(key) + there_are(key, names));
    }
  }

  std::string text(const Json& value, const std::string& what) const {
    if (!value.is_string()) fail(what + " is " + shown_json(value) + "; expected a string");
    return value.get<std::string>();
  }

  void buffers(const Json& all) {
    if (!all.is_object()) fail("\"buffers\" is not an object");
    for (const auto& [name, value] : all.items()) {
      if (name.empty() || name.find_first_of("+=") != std::string::npos) {
        fail("bad buffer name " + in_quotes(name) + ": a name must not be empty or contain + or =");
      }
      const std::string what = "buffer " + in_quotes(name);
      checked(what, [&, &key = name, &json = value] {
        request_.buffers.push_back(
            json.is_object() ? saved_buffer(key, json, what)
                             : RequestedBuffer{key, key, cuda::parse_buffer(text(json, what))});
      });
    }
  }

  void heap(const Json& json) {
    require_keys(json, "\"heap\"", {"bytes", "allocations"});
    if (json.contains("bytes")) {
      request_.heap.bytes = number(json["bytes"], "\"heap\": 'bytes'", 0, ptx::most_buffer_bytes);
    }
    if (!json.contains("allocations")) return;
    if (!json["allocations"].is_array()) fail("\"heap\": 'allocations' is not a list");
    for (const Json& one : json["allocations"]) {
      const std::string what = fmt::format("heap allocation {}", request_.heap.allocations.size());
      checked(what, [&] { request_.heap.allocations.push_back(saved_buffer(what, one, what)); });
    }
  }

  RequestedBuffer saved_buffer(const std::string& name, const Json& json,
                               const std::string& what) const {
    require_keys(json, what, {"contents", "name", "undefined", "freed"});
    RequestedBuffer buffer{name, name, {}};
    if (json.contains("name")) buffer.shown = text(json["name"], what + ": 'name'");
    if (json.contains("freed")) {
      if (json["freed"] != true || json.contains("contents")) {
        fail(what + ": 'freed' is true, or missing; a buffer that was freed has no contents");
      }
      buffer.freed = true;
      buffer.description = cuda::parse_buffer("u8:1");
      return buffer;
    }
    if (!json.contains("contents")) fail(what + " has no 'contents'");
    buffer.description = cuda::parse_buffer(text(json["contents"], what + ": 'contents'"));
    if (json.contains("undefined")) buffer.undefined = ranges(json["undefined"], what);
    return buffer;
  }

  std::vector<ptx::ByteRange> ranges(const Json& json, const std::string& what) const {
    const std::string which = what + ": 'undefined'";
    std::vector<ptx::ByteRange> all;
    if (!json.is_array()) fail(which + " is not a list");
    for (const Json& one : json) {
      if (!one.is_array() || one.size() != 2) fail(which + ": expected a list of two numbers");
      const std::uint64_t begin = number(one[0], which, 0, ptx::most_buffer_bytes);
      all.push_back({begin, number(one[1], which, begin, ptx::most_buffer_bytes)});
    }
    return all;
  }

  void symbols(const Json& all) {
    if (!all.is_object()) fail("\"symbols\" is not an object");
    for (const auto& [name, value] : all.items()) {
      const std::string what = "symbol " + in_quotes(name);
      checked(what, [&, &key = name, &json = value] {
        add_symbol(request_, key, text(json, what), in_quotes(key));
      });
    }
  }

  // Runs act(), and adds the position in the launch file to its errors.
  template <class Act>
  void checked(const std::string& what, const Act& act) const {
    try {
      act();
    } catch (const cuda::ArgumentError& error) {
      fail(what + ": " + error.what());
    } catch (const UsageError& error) {
      fail(what + ": " + error.what());
    }
  }

  std::uint64_t number(const Json& value, const std::string& what, std::uint64_t least,
                       std::uint64_t most = std::numeric_limits<std::uint32_t>::max()) const {
    const bool fits = value.is_number_unsigned() && value.get<std::uint64_t>() >= least &&
                      value.get<std::uint64_t>() <= most;
    if (!fits) {
      fail(what + fmt::format(" is {}; expected a whole number from {} to {}", shown_json(value),
                              least, most));
    }
    return value.get<std::uint64_t>();
  }

  static std::string shown_json(const Json& value) {
    return in_quotes(value.dump(-1, ' ', true, Json::error_handler_t::replace), 60);
  }

  ptx::Extent extent(const Json& launch, const char* key, const std::string& what) const {
    if (!launch.contains(key)) fail(what + " has no " + in_quotes(key));
    const Json& value = launch[key];
    ptx::Extent extent{1, 1, 1};
    const std::string which = what + ": " + in_quotes(key);
    if (!value.is_array()) {
      extent[0] = static_cast<std::uint32_t>(number(value, which, 1));
      return extent;
    }
    if (value.empty() || value.size() > 3) fail(which + " has one to three numbers");
    for (std::size_t k = 0; k < value.size(); ++k) {
      extent[k] = static_cast<std::uint32_t>(number(value[k], which, 1));
    }
    return extent;
  }

  void launch(const Json& json) {
    const std::string what = fmt::format("launch {}", request_.launches.size());
    require_keys(json, what, {"kernel", "grid", "block", "shared", "arguments"});
    RequestedLaunch launch;
    launch.where = path_ + ": " + what + ": ";
    if (json.contains("kernel")) launch.kernel = text(json["kernel"], what + ": 'kernel'");
    launch.shape.grid = extent(json, "grid", what);
    launch.shape.block = extent(json, "block", what);
    if (json.contains("shared")) {
      launch.shape.dynamic_shared_bytes = number(json["shared"], what + ": 'shared'", 0);
    }
    checked(what, [&] { cuda::require_shape(launch.shape); });
    if (json.contains("arguments")) {
      if (!json["arguments"].is_array()) fail(what + ": 'arguments' is not a list");
      for (const Json& one : json["arguments"]) {
        const std::string which = fmt::format("{}: argument {}", what, launch.arguments.size());
        checked(which, [&] { launch.arguments.push_back(argument(text(one, which), which)); });
      }
    }
    request_.launches.push_back(std::move(launch));
  }

  cuda::Argument argument(const std::string& typed, const std::string& what) const {
    cuda::Argument argument = cuda::parse_argument(typed, true);
    const auto check = [&](const cuda::BufferReference& reference) {
      const std::size_t buffer = request_.buffer(reference.name, in_quotes(typed));
      const cuda::BufferDescription& description = request_.buffers[buffer].description;
      const bool known = !description.dimensions.empty();
      if (known && reference.element >= description.count()) {
        fail(what + ": " + in_quotes(typed) + " is beyond the end of the buffer");
      }
    };
    if (const auto* reference = std::get_if<cuda::BufferReference>(&argument.value)) {
      check(*reference);
    }
    if (const auto* bytes = std::get_if<cuda::BytesArgument>(&argument.value)) {
      for (const cuda::PlacedPointer& pointer : bytes->pointers) {
        check(std::get<cuda::BufferReference>(pointer.to));
      }
    }
    return argument;
  }

  void saves(const Json& all) {
    if (!all.is_object()) fail("\"save\" is not an object");
    for (const auto& [name, value] : all.items()) {
      const std::string what = "\"save\" of " + in_quotes(name);
      checked(what, [&, &key = name, &json = value] {
        add_save(request_, key, text(json, what), in_quotes(key));
      });
    }
  }

  std::string path_;
  KernelRequest request_;
};

}  // namespace

KernelRequest read_request(const std::string& path) { return LaunchFile(path).read(); }

}  // namespace bankproof::cli
