// See arrays.hpp.
#include "arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <random>
#include <string_view>
#include <variant>

#include "../../text/typed.hpp"
#include "../readers/npy.hpp"
#include "../readers/picture.hpp"
#include "../support/errors.hpp"
#include "../support/machine_argument.hpp"
#include "../support/words.hpp"
#include "task_argument.hpp"

namespace bankproof::cli {
namespace {

constexpr std::string_view random_prefix = "random:";
constexpr std::string_view values_prefix = "values:";
constexpr std::size_t sides = 3;

[[noreturn]] void fail(const GivenArray& array, const std::string& why) {
  if (array.typed) throw UsageError("--input " + in_quotes(array.argument) + ": " + why);
  throw InputError(array.argument + ": " + why);
}

/// Small random numbers, which are easy to read in results; the seed follows "random:".
Integers random_integers(std::uint64_t size, std::mt19937_64& random) {
  Integers values(size);
  for (std::uint64_t& value : values) value = random() % 100;
  return values;
}

std::uint64_t seed_of(const std::string& argument) {
  const DecimalNumber seed = parse_decimal(std::string_view(argument).substr(random_prefix.size()));
  if (!seed.value) {
    throw UsageError("--input " + in_quotes(argument) + ": expected a number after random:");
  }
  return *seed.value;
}

/// Parses numbers typed on the command line: values:1,2/3,4 has two rows.
void take_typed(GivenArray& array) {
  const char* at = array.argument.data() + values_prefix.size();
  const char* const end = array.argument.data() + array.argument.size();
  array.typed = true;
  array.rows = 0;
  for (std::uint64_t in_row = 0;; ++at) {
    std::int64_t value = 0;
    const auto [stop, error] = std::from_chars(at, end, value);
    const bool separated = stop == end || *stop == ',' || *stop == '/';
    if (error != std::errc() || !separated) {
      const std::string_view rest(at, end);
      fail(array,
           fmt::format("{} is not a 64-bit integer; separate numbers with commas and rows with /",
                       in_quotes(rest.substr(0, rest.find_first_of(",/")), 24)));
    }
    array.values.push_back(static_cast<std::uint64_t>(value));
    at = stop;
    ++in_row;
    if (at != end && *at == ',') continue;
    if (array.rows++ == 0) array.columns = in_row;
    if (in_row != array.columns) {
      fail(array, fmt::format("row {} has {}, and those before have {}", array.rows - 1,
                              counted(in_row, "number"), array.columns));
    }
    if (at == end) return;
    in_row = 0;
  }
}

GivenArray read_array(const std::string& argument) {
  GivenArray array;
  array.argument = argument;
  if (argument.starts_with(values_prefix)) {
    take_typed(array);
    array.dimensions = {array.columns};
    if (array.rows > 1) array.dimensions.insert(array.dimensions.begin(), array.rows);
    return array;
  }
  if (argument == "-") throw UsageError("--input -: arrays are read from files, or values:1,2,…");
  FileInput input(argument);
  const std::string start(input.peek(ByteInput::longest_peek));
  if (start.empty()) input.fail("is empty: there is no array in it");
  if (begins_picture(start)) {
    const Picture picture = read_picture(input);
    array.rows = picture.rows;
    array.columns = picture.columns;
    array.channels = picture.channels;
    array.has_channels = true;
    array.dimensions = {array.rows, array.columns};
    if (array.channels > 1) array.dimensions.push_back(array.channels);
    array.greatest_value = picture.maximum;
    array.values.assign(picture.values.begin(), picture.values.end());
    return array;
  }
  if (!start.starts_with(npy_magic.substr(0, start.size()))) {
    input.fail("begins with " + in_quotes(start) +
               "; arrays are .npy files, or pictures in PGM or PPM");
  }
  const NpyLanes read = read_npy_lanes(input, sides);
  array.dimensions = read.shape;
  array.has_channels = read.shape.size() == sides;
  if (array.has_channels) array.channels = read.shape[2];
  array.rows = read.shape.size() == 1 ? 1 : read.shape.front();
  array.columns = read.shape[read.shape.size() == 1 ? 0 : 1];
  array.values = std::visit(
      [](const auto& values) { return Integers(values.begin(), values.end()); }, read.values);
  return array;
}

/// Whether the array has several channels where the shape takes only one.
bool splits(const GivenArray& array, const Shape& shape) {
  return array.channels > 1 && shape.channels == 1;
}

bool fits(const GivenArray& array, const Shape& shape) {
  if (array.rows != shape.rows) return false;
  if (!array.has_channels) return array.columns == shape.columns * shape.channels;
  return array.columns == shape.columns &&
         (array.channels == shape.channels || splits(array, shape));
}

/// The lengths of the sides: columns, rows, channels.
std::array<std::uint64_t, sides> sides_of(const GivenArray& array) {
  return {array.columns, array.rows, array.channels};
}
std::array<std::uint64_t, sides> sides_of(const Shape& shape, const GivenArray& array) {
  if (!array.has_channels) return {shape.columns * shape.channels, shape.rows, 1};
  return {shape.columns, shape.rows, shape.channels};
}

Integers channel_of(const GivenArray& array, std::uint64_t channel) {
  Integers values;
  values.reserve(array.values.size() / array.channels);
  for (std::uint64_t k = channel; k < array.values.size(); k += array.channels) {
    values.push_back(array.values[k]);
  }
  return values;
}

}  // namespace

std::vector<GivenArray> read_arrays(const std::vector<std::string>& inputs,
                                    const std::vector<Shape>& shapes) {
  const auto is_random = [](const std::string& input) { return input.starts_with(random_prefix); };
  if (inputs.empty() || (inputs.size() == 1 && is_random(inputs.front()))) return {};
  if (inputs.size() != shapes.size() || std::ranges::any_of(inputs, is_random)) {
    std::string names;
    for (const Shape& shape : shapes) {
      names += (names.empty() ? "" : ", ") + std::string(shape.name);
    }
    throw UsageError(
        fmt::format("--input: give random:SEED, or a file or values:… for each of {}", names));
  }
  std::vector<GivenArray> arrays;
  arrays.reserve(inputs.size());
  for (const std::string& input : inputs) arrays.push_back(read_array(input));
  return arrays;
}

void set_open_sizes(Task& task, const AlgorithmEntry& algorithm,
                    const std::vector<GivenArray>& arrays,
                    const std::vector<std::string>& settings) {
  if (algorithm.permutes) return;  // the permutation decides the number of elements
  std::vector<SizeKey> open(algorithm.size_keys.begin(), algorithm.size_keys.end());
  for (const std::string& list : settings) {
    for (const std::string_view setting : split_at_commas(list)) {
      std::erase_if(open, [&](const SizeKey& key) {
        return key.name == setting.substr(0, setting.find('='));
      });
    }
  }
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    if (k == 1 && task.sizes.has("v") && (arrays[k].rows % 2 == 0 || arrays[k].columns % 2 == 0)) {
      fail(arrays[k], fmt::format("has {}; a mask of radius v has odd sides, 2v + 1",
                                  elements_text(arrays[k].dimensions)));
    }
    if (arrays[k].dimensions.size() <
        3) {  // no dimension for channels: their number stays as it is
      std::erase_if(open, [](const SizeKey& key) { return key.name == "channels"; });
    }
    for (std::size_t side = 0; side < sides; ++side) {
      // Each side is linear in each size, so two values of the size determine it.
      const auto length = [&](const SizeKey& key, std::uint64_t more) {
        Task changed = task;
        changed.sizes.set(key.name, task.sizes[key.name] + more);
        return static_cast<std::int64_t>(sides_of(algorithm.inputs(changed)[k], arrays[k])[side]);
      };
      const auto decides = [&](const SizeKey& key) { return length(key, 1) != length(key, 0); };
      const auto key = std::ranges::find_if(open, decides);
      if (key == open.end() || std::any_of(std::next(key), open.end(), decides)) continue;
      const std::int64_t step = length(*key, 1) - length(*key, 0);
      const std::int64_t missing =
          static_cast<std::int64_t>(sides_of(arrays[k])[side]) - length(*key, 0);
      const std::int64_t size = static_cast<std::int64_t>(task.sizes[key->name]) + missing / step;
      if (missing % step != 0 || size < static_cast<std::int64_t>(key->least) ||
          size > static_cast<std::int64_t>(key->most)) {
        continue;
      }
      task.sizes.set(key->name, static_cast<std::uint64_t>(size));
      open.erase(key);
    }
  }
}

std::vector<Inputs<std::uint64_t>> passes_of(const std::vector<GivenArray>& arrays,
                                             const std::vector<std::string>& inputs,
                                             const AlgorithmEntry& algorithm, const Task& task) {
  const std::vector<Shape> shapes = algorithm.inputs(task);
  if (arrays.empty()) {
    std::mt19937_64 source(inputs.empty() ? 0 : seed_of(inputs.front()));
    Inputs<std::uint64_t> random;
    for (const Shape& shape : shapes) random.push_back(random_integers(shape.size(), source));
    return {random};
  }
  std::uint64_t passes = 1;
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    const Shape& shape = shapes[k];
    if (!fits(arrays[k], shape)) {
      const bool flat = shape.rows == 1 && arrays[k].rows > 1;  // another variant takes images
      fail(arrays[k],
           fmt::format(
               "has {}, and {} has {}; {}", elements_text(arrays[k].dimensions), shape.name,
               fmt::join(input_dimensions(algorithm, task)[k], " x "),
               flat ? "--variant and --size say that it is one row" : "--size says how many"));
    }
    if (!splits(arrays[k], shape)) continue;
    if (passes > 1 && arrays[k].channels != passes) {
      fail(arrays[k],
           fmt::format(
               "has {} channels, but an earlier array has {}; all arrays need the same number",
               arrays[k].channels, passes));
    }
    passes = arrays[k].channels;
  }
  std::vector<Inputs<std::uint64_t>> all(passes);
  for (std::uint64_t pass = 0; pass < passes; ++pass) {
    for (std::size_t k = 0; k < arrays.size(); ++k) {
      all[pass].push_back(splits(arrays[k], shapes[k]) ? channel_of(arrays[k], pass)
                                                       : arrays[k].values);
    }
  }
  return all;
}

}  // namespace bankproof::cli
