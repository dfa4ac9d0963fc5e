// Finds the position of each statement in one pass. A map makes sure that each position is stored
// only once.
#include "lines.hpp"

#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace bankproof::ptx {

namespace {

using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
Key key_of(const SourcePoint& point) { return {point.file, point.line, point.column}; }

// The section .debug_str: strings that end with a zero byte, found by label and offset.
class DebugStrings {
 public:
  explicit DebugStrings(const Module& module) {
    for (const DebugString& string : module.strings) {
      labels_.emplace(string.label, bytes_.size());
      bytes_ += string.bytes;
    }
  }

  // The string at `offset` bytes after the label. Empty if there is none, since a missing name of a
  // function must not stop the run.
  std::string at(const std::string& label, std::uint64_t offset) const {
    const auto found = labels_.find(label);
    if (found == labels_.end() || offset >= bytes_.size() - found->second) return {};
    const std::size_t begin = found->second + offset;
    return bytes_.substr(begin, bytes_.find('\0', begin) - begin);
  }

 private:
  std::unordered_map<std::string, std::size_t> labels_;
  std::string bytes_;
};

class LineReader {
 public:
  explicit LineReader(const Module& module) : strings_(module) {}

  Lines run(const Function& function) {
    std::optional<std::size_t> current;
    lines_.of_statement.reserve(function.body.size());
    for (const Statement& statement : function.body) {
      if (const auto* location = std::get_if<Location>(&statement)) current = position(*location);
      lines_.of_statement.push_back(current);
    }
    return std::move(lines_);
  }

 private:
  std::size_t position(const Location& location) {
    SourcePosition made{location.at, {}, {}};
    if (const auto& inlined = location.inlined) {
      made.function = strings_.at(inlined->function, inlined->name_offset);
      const auto last = last_at_.find(key_of(inlined->into));
      made.caller = last != last_at_.end() ? last->second : add({inlined->into, {}, {}});
    }
    const std::size_t result = add(std::move(made));
    last_at_[key_of(location.at)] = result;
    return result;
  }

  std::size_t add(SourcePosition made) {
    const auto [known, is_new] =
        known_.try_emplace({key_of(made.at), made.function, made.caller}, lines_.positions.size());
    if (is_new) lines_.positions.push_back(std::move(made));
    return known->second;
  }

  DebugStrings strings_;
  Lines lines_;
  std::map<Key, std::size_t> last_at_;
  std::map<std::tuple<Key, std::string, std::optional<std::size_t>>, std::size_t> known_;
};

// Calls f with each link of the chain of calls that has a line, innermost first, until f returns
// true. The loop ends, since a caller always has a smaller index than its callee.
template <class F>
void walk(const Lines& lines, std::size_t position, F f) {
  for (std::optional<std::size_t> link = position; link; link = lines.positions[*link].caller) {
    const SourcePosition& at = lines.positions[*link];
    if (at.at.line != 0 && f(at)) return;
  }
}

}  // namespace

Lines lines_of(const Module& module, const Function& function) {
  return LineReader(module).run(function);
}

std::vector<SourcePosition> chain(const Lines& lines, std::size_t position) {
  std::vector<SourcePosition> result;
  walk(lines, position, [&](const SourcePosition& link) {
    result.push_back(link);
    return false;
  });
  return result;
}

std::optional<SourcePoint> rolled_up(const Lines& lines, std::size_t position, std::uint32_t file) {
  std::optional<SourcePoint> result;
  walk(lines, position, [&](const SourcePosition& link) {
    if (link.at.file == file) result = link.at;
    return result.has_value();
  });
  return result;
}

std::string_view file_name(const Module& module, std::uint32_t number) {
  for (const SourceFile& file : module.files) {
    if (file.number == number) return file.name;
  }
  return {};
}

}  // namespace bankproof::ptx
