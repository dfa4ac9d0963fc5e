// The command `bench`; see benchmark.hpp.
#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "benchmark.hpp"

namespace bankproof::cuda::bench {

std::vector<Benchmark> all_benchmarks() {
  std::vector<Benchmark> all;
  for (const auto& of_subject :
       {benchmarks_of_sums, benchmarks_of_convolutions, benchmarks_of_matrix_products,
        benchmarks_of_permutations, benchmarks_of_permutations_in_shared_memory,
        benchmarks_of_transposes, benchmarks_of_summed_area_tables, benchmarks_of_peers}) {
    for (Benchmark& row : of_subject()) all.push_back(std::move(row));
  }
  return all;
}

#ifdef BANKPROOF_ON_MACHINE
// Only nvcc compiles the rows of the libraries (peers.cu).
std::vector<Benchmark> benchmarks_of_peers() { return {}; }
#endif

namespace {

using Json = nlohmann::ordered_json;

struct Options {
  bool list = false;
  std::size_t bytes = std::size_t{1} << 30;
  std::size_t elements = 0;  // 0: as many as fit into `bytes`
  std::size_t repeats = 21;
  std::vector<std::string> names;
};

Options options_of(const std::vector<std::string>& words) {
  Options options;
  for (std::size_t k = 0; k < words.size(); ++k) {
    const auto number = [&]() -> std::size_t {
      if (k + 1 == words.size()) throw std::invalid_argument(words[k] + " needs a number");
      return std::stoull(words[++k]);
    };
    if (words[k] == "--list") {
      options.list = true;
    } else if (words[k] == "--bytes") {
      options.bytes = number();
    } else if (words[k] == "--elements") {
      options.elements = number();
    } else if (words[k] == "--repeats") {
      options.repeats = number();
    } else if (words[k].starts_with("-")) {
      throw std::invalid_argument("there is no option " + words[k]);
    } else {
      options.names.push_back(words[k]);
    }
  }
  return options;
}

/// The rows with these names. Without names: all rows that take any number of elements, except the
/// rows for the sources' tables.
std::vector<Benchmark> chosen(const std::vector<std::string>& names) {
  std::vector<Benchmark> all = all_benchmarks();
  std::vector<Benchmark> rows;
  if (names.empty()) {
    std::copy_if(all.begin(), all.end(), std::back_inserter(rows),
                 [](const Benchmark& row) { return row.most == 0 && !row.named_only; });
    return rows;
  }
  for (const std::string& name : names) {
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const Benchmark& row) { return row.name == name; });
    if (found == all.end()) {
      throw std::invalid_argument("there is no benchmark '" + name + "'; --list names them");
    }
    rows.push_back(*found);
  }
  return rows;
}

/// The fields of a row that are known before the row is timed.
Json described(const Benchmark& row) {
  return {{"name", row.name},
          {"size", row.size},
          {"floor", row.goal.floor},
          {"target", row.goal.target},
          {"stretch", row.goal.stretch},
          {"limit", row.goal.limit},
          {"against", row.goal.against == Against::copy ? "copy" : "peer"},
          {"peer", row.peer},
          {"named_only", row.named_only}};
}

Json as_json(const Times& times) {
  return {{"milliseconds", times.median}, {"least", times.least}, {"most", times.most}};
}

/// Times a copy of `bytes` bytes on the device, which reads and writes these bytes.
Json copy_row(std::size_t bytes, std::size_t repeats) {
  const auto from = std::make_shared<DeviceArray<std::uint32_t>>(filled<std::uint32_t>(bytes / 4));
  const auto to = std::make_shared<DeviceArray<std::uint32_t>>(bytes / 4);
  Json row = as_json(time_of(
      [=] {
        require(cudaMemcpyAsync(to->data(), from->data(), bytes / 4 * 4, cudaMemcpyDeviceToDevice),
                "cudaMemcpyAsync");
      },
      repeats));
  row["bytes"] = 2 * (bytes / 4 * 4);
  return row;
}

// A run on the host takes about a hundred times as long as a run on a device.
constexpr std::size_t repeats_on_host = 3;

Json timed(const Benchmark& benchmark, const Options& options) {
  const auto bytes = static_cast<std::size_t>(benchmark.size * static_cast<double>(options.bytes));
  const std::size_t elements =
      options.elements != 0 ? options.elements : bytes / benchmark.element_bytes;
  Json row = described(benchmark);
  row["elements"] = elements;
  row["bytes"] = benchmark.arrays * elements * benchmark.element_bytes;
  if (benchmark.most != 0 && elements > benchmark.most) {
    row["because"] = "at most " + std::to_string(benchmark.most) + " elements";
    return row;
  }
  try {
    const Run run = benchmark.prepare(elements);
    if (benchmark.on_host) row["repeats"] = repeats_on_host;
    row.update(as_json(benchmark.on_host ? time_on_host(run, repeats_on_host)
                                         : time_of(run, options.repeats)));
  } catch (const std::exception& error) {
    row["because"] = error.what();
    cudaGetLastError();
  }
  return row;
}

}  // namespace

int run_benchmarks(const std::vector<std::string>& words) {
  try {
    const Options options = options_of(words);
    Json result;
    if (options.list) {
      result = Json::array();
      for (const Benchmark& row : all_benchmarks()) {
        result.push_back(described(row));
      }
    } else {
      const std::vector<Benchmark> rows = chosen(options.names);
      result = {{"repeats", options.repeats}, {"rows", Json::array()}};
      // Rows of few elements are compared with each other, not with a copy.
      if (options.elements == 0) result["copy"] = copy_row(options.bytes, options.repeats);
      for (const Benchmark& row : rows) result["rows"].push_back(timed(row, options));
    }
    std::cout << result.dump(1) << '\n';
    return 0;
  } catch (const CudaError& error) {
    std::cerr << "bench: " << error.what() << '\n';
    return 3;
  } catch (const std::exception& error) {
    std::cerr << "bench: " << error.what() << '\n';
    return 2;
  }
}

}  // namespace bankproof::cuda::bench
