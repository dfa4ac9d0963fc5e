// Each field of a report is written once, by the function that also reads it; see stored.hpp.
#include "stored.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include <utility>

namespace bankproof::ptx {

namespace {

using Json = nlohmann::json;

/// Writes the fields that it is shown.
struct Writer {
  Json json = Json::object();

  template <class T>
  void operator()(const char* name, const T& value);
};

/// Reads the fields that it is shown.
struct Reader {
  const Json& json;

  template <class T>
  void operator()(const char* name, T& value);
};

template <class Visit>
void visit(SourceLine& at, Visit& field) {
  field("file", at.file);
  field("line", at.line);
}

template <class Visit>
void visit(ThreadName& thread, Visit& field) {
  field("launch", thread.launch);
  field("block", thread.block);
  field("thread", thread.thread);
}

template <class Visit>
void visit(AccessPicture& picture, Visit& field) {
  field("warp", picture.warp);
  field("lanes", picture.lanes);
  field("element_bytes", picture.element_bytes);
  field("buffer", picture.buffer);
  field("addresses", picture.addresses);
  field("excess", picture.excess);
}

template <class Visit>
void visit(AccessCounts& counts, Visit& field) {
  field("accesses", counts.accesses);
  field("lanes", counts.lanes);
  field("wavefronts", counts.wavefronts);
  field("ideal_wavefronts", counts.ideal_wavefronts);
  field("lines", counts.lines);
  field("ideal_lines", counts.ideal_lines);
  field("sectors", counts.sectors);
  field("ideal_sectors", counts.ideal_sectors);
  field("worst_shared", counts.worst_shared);
  field("worst_global", counts.worst_global);
}

template <class Visit>
void visit(LineReport& line, Visit& field) {
  field("at", line.at);
  field("visits", line.visits);
  field("active_lanes", line.active_lanes);
  field("counts", line.counts);
  field("time", line.time);
  field("inlined", line.inlined);
  field("functions", line.functions);
}

template <class Visit>
void visit(FaultReport& fault, Visit& field) {
  field("kind", fault.kind);
  field("at", fault.at);
  field("chain", fault.chain);
  field("functions", fault.functions);
  field("message", fault.message);
  field("count", fault.count);
  field("command", fault.command);
}

template <class Visit>
void visit(LaunchRange& range, Visit& field) {
  field("first", range.first);
  field("last", range.last);
}

template <class Visit>
void visit(TakenLaunches& taken, Visit& field) {
  field("kernel", taken.kernel);
  field("from", taken.from);
  field("executed", taken.executed);
  field("launches", taken.launches);
}

template <class Visit>
void visit(ChildLaunches& child, Visit& field) {
  field("kernel", child.kernel);
  field("parent", child.parent);
  field("launches", child.launches);
}

template <class Visit>
void visit(KernelReport& report, Visit& field) {
  field("kernel", report.kernel);
  field("machine", report.machine);
  field("launches", report.launches);
  field("time", report.time);
  field("instructions", report.instructions);
  field("lines", report.lines);
  field("faults", report.faults);
  field("totals", report.totals);
  field("opcodes", report.opcodes);
  field("buffers", report.buffers);
  field("taken", report.taken);
  field("children", report.children);
  field("library_calls", report.library_calls);
}

template <class T>
concept Plain = std::is_arithmetic_v<T> || std::is_same_v<T, std::string>;
template <class T>
constexpr bool is_optional = false;
template <class T>
constexpr bool is_optional<std::optional<T>> = true;
template <>
constexpr bool is_optional<KeptPicture> = true;
template <class T>
constexpr bool is_map = false;
template <class K, class V>
constexpr bool is_map<std::map<K, V>> = true;

template <class T>
Json written(const T& value) {
  if constexpr (Plain<T>) {
    return value;
  } else if constexpr (std::is_enum_v<T>) {
    return std::string(name_of(value));
  } else if constexpr (is_optional<T>) {
    return value ? written(*value) : Json();
  } else if constexpr (is_map<T>) {
    Json all = Json::array();
    for (const auto& [key, one] : value) all.push_back({written(key), written(one)});
    return all;
  } else if constexpr (requires { value.begin(); }) {
    Json all = Json::array();
    for (const auto& one : value) all.push_back(written(one));
    return all;
  } else {
    Writer writer;
    visit(const_cast<T&>(value), writer);
    return std::move(writer.json);
  }
}

FaultKind kind_of(const std::string& name) {
  for (int kind = 0; kind < fault_kind_count; ++kind) {
    if (name_of(static_cast<FaultKind>(kind)) == name) return static_cast<FaultKind>(kind);
  }
  throw StoredReportError("a stored report has an unknown kind of fault");
}

template <class T>
void read(const Json& json, T& value) {
  if constexpr (Plain<T>) {
    value = json.get<T>();
  } else if constexpr (std::is_enum_v<T>) {
    value = kind_of(json.get<std::string>());
  } else if constexpr (is_optional<T>) {
    if (!json.is_null()) read(json, value.emplace());
  } else if constexpr (is_map<T>) {
    for (const Json& pair : json) {
      typename T::key_type key{};
      read(pair.at(0), key);
      read(pair.at(1), value[key]);
    }
  } else if constexpr (requires { value.emplace_back(); }) {
    for (const Json& one : json) read(one, value.emplace_back());
  } else if constexpr (requires { value.begin(); }) {
    for (std::size_t k = 0; k < value.size(); ++k) read(json.at(k), value[k]);
  } else {
    Reader reader{json};
    visit(value, reader);
  }
}

template <class T>
void Writer::operator()(const char* name, const T& value) {
  json[name] = written(value);
}
template <class T>
void Reader::operator()(const char* name, T& value) {
  read(json.at(name), value);
}

template <class T>
T read_text(std::string_view text) {
  try {
    T value;
    read(Json::parse(text), value);
    return value;
  } catch (const Json::exception& error) {
    throw StoredReportError(std::string("a stored report cannot be read: ") + error.what());
  }
}

/// Text from programs may be no UTF-8.
std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void join(LineReport& line, const LineReport& other) {
  line.visits += other.visits;
  line.active_lanes += other.active_lanes;
  line.counts.add(other.counts);
  line.time += other.time;
  for (const auto& [mine, theirs] : {std::pair(&line.functions, &other.functions)}) {
    for (const std::string& name : *theirs) {
      if (std::find(mine->begin(), mine->end(), name) == mine->end()) mine->push_back(name);
    }
  }
}

void join(std::vector<ChildLaunches>& all, const ChildLaunches& other) {
  const auto same = std::find_if(all.begin(), all.end(), [&](const ChildLaunches& one) {
    return one.kernel == other.kernel && one.parent == other.parent;
  });
  if (same == all.end()) {
    all.push_back(other);
  } else {
    same->launches += other.launches;
  }
}

}  // namespace

std::string stored(const KernelReport& report) { return dumped(written(report)); }
std::string stored(const FaultReport& fault) { return dumped(written(fault)); }
KernelReport read_stored(std::string_view text) { return read_text<KernelReport>(text); }
FaultReport read_stored_fault(std::string_view text) { return read_text<FaultReport>(text); }

void join(KernelReport& report, const KernelReport& other) {
  if (report.kernel.empty()) report.kernel = other.kernel;
  if (report.machine.empty()) report.machine = other.machine;
  report.launches += other.launches;
  report.time += other.time;
  report.instructions += other.instructions;
  report.totals.add(other.totals);
  report.taken.insert(report.taken.end(), other.taken.begin(), other.taken.end());
  for (const ChildLaunches& child : other.children) join(report.children, child);
  for (const auto& [call, count] : other.library_calls) report.library_calls[call] += count;
  for (const auto& [opcode, counts] : other.opcodes) report.opcodes[opcode].add(counts);
  for (const LineReport& line : other.lines) {
    const auto place =
        std::lower_bound(report.lines.begin(), report.lines.end(), line,
                         [](const LineReport& a, const LineReport& b) { return a.at < b.at; });
    if (place != report.lines.end() && place->at == line.at) {
      join(*place, line);
    } else {
      report.lines.insert(place, line);
    }
  }
  for (const FaultReport& fault : other.faults) {
    const auto key = [](const FaultReport& of) { return std::tie(of.at, of.kind, of.chain); };
    const auto same = std::find_if(report.faults.begin(), report.faults.end(),
                                   [&](const FaultReport& one) { return key(one) == key(fault); });
    if (same != report.faults.end()) {
      same->count += fault.count;
      if (same->command.empty()) same->command = fault.command;
    } else {
      report.faults.push_back(fault);
    }
  }
  std::sort(report.faults.begin(), report.faults.end(),
            [](const FaultReport& a, const FaultReport& b) {
              return std::tie(a.at, a.kind, a.message) < std::tie(b.at, b.kind, b.message);
            });
}

}  // namespace bankproof::ptx
