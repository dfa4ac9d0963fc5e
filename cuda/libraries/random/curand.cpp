// cuRAND's functions for the host: generators, and the distributions of their numbers.
//
// A generator draws its numbers when the host makes the call, so that calls keep their order; the
// operation of the stream writes them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <random>
#include <vector>

#include "../../runtime/handles.hpp"
#include "../support/operation.hpp"
#include "sobol.hpp"
#include "sources.hpp"

// cuRAND lets the library define this type.
struct curandGenerator_st {
  curandRngType_t type = CURAND_RNG_PSEUDO_DEFAULT;
  bool is_of_host = false;
  cudaStream_t stream = nullptr;
  std::uint64_t seed = 0;
  std::uint64_t offset = 0;
  unsigned dimensions = 1;
  std::unique_ptr<bankproof::cuda::random::Source> source{};  // null until it is needed
  std::uint64_t point = 0;                                    // of quasi-random numbers

  bool is_quasi() const { return type >= CURAND_RNG_QUASI_DEFAULT; }
  bool is_of_64_bits() const { return type == CURAND_RNG_QUASI_SOBOL64; }
};

namespace bankproof::cuda::random {
namespace {

Handles<curandGenerator_st>& generators() {
  static auto* const all = new Handles<curandGenerator_st>;
  return *all;
}

curandStatus_t fail(const char* call, curandStatus_t status, const std::string& why) {
  libraries::say(call, why);
  return status;
}

template <class Use>
curandStatus_t with_generator(const char* call, curandGenerator_t generator, const Use& use) {
  if (!generators().is_live(generator)) {
    return fail(call, CURAND_STATUS_NOT_INITIALIZED,
                "the generator does not exist; was it destroyed?");
  }
  return use(*generator);
}

bool is_known(curandRngType_t type) {
  constexpr std::array known = {
      CURAND_RNG_PSEUDO_DEFAULT, CURAND_RNG_PSEUDO_XORWOW,  CURAND_RNG_PSEUDO_MRG32K3A,
      CURAND_RNG_PSEUDO_MTGP32,  CURAND_RNG_PSEUDO_MT19937, CURAND_RNG_PSEUDO_PHILOX4_32_10,
      CURAND_RNG_QUASI_DEFAULT,  CURAND_RNG_QUASI_SOBOL32,  CURAND_RNG_QUASI_SOBOL64};
  return std::find(known.begin(), known.end(), type) != known.end();
}

curandStatus_t create(const char* call, curandGenerator_t* generator, curandRngType_t type,
                      bool is_of_host) {
  if (generator == nullptr) {
    return fail(call, CURAND_STATUS_NOT_INITIALIZED, "the address for the generator is null");
  }
  if (!is_known(type)) {
    return fail(call, CURAND_STATUS_TYPE_ERROR,
                fmt::format("the machine has no generator of the type {}", static_cast<int>(type)));
  }
  *generator = generators().make();
  (*generator)->type = type;
  (*generator)->is_of_host = is_of_host;
  return CURAND_STATUS_SUCCESS;
}

/// The next numbers of the generator, in the highest bits of 64.
std::vector<std::uint64_t> draw(curandGenerator_st& of, std::size_t count) {
  std::vector<std::uint64_t> drawn;
  drawn.reserve(count);
  if (of.is_quasi()) {
    const std::size_t each = count / of.dimensions;
    for (unsigned d = 0; d < of.dimensions; ++d) {
      const auto points = sobol_points(d, of.offset + of.point, each);
      drawn.insert(drawn.end(), points.begin(), points.end());
    }
    of.point += each;
    return drawn;
  }
  if (of.source == nullptr) {
    of.source = source_of(of.type, of.seed);
    of.source->skip(of.offset);
  }
  for (std::size_t k = 0; k < count; ++k) {
    drawn.push_back(std::uint64_t{of.source->next()} << 32U);
  }
  return drawn;
}

/// Numbers in (0, 1], with the bits of a float, and with those of a double.
float uniform_of(std::uint64_t bits) {
  return static_cast<float>((static_cast<double>(bits >> 32U) + 0.5) * 0x1p-32);
}
std::vector<double> draw_doubles(curandGenerator_st& of, std::size_t count) {
  constexpr double half = 0x1p-54;
  std::vector<double> result;
  result.reserve(count);
  if (of.is_quasi()) {
    for (const std::uint64_t bits : draw(of, count)) {
      result.push_back(static_cast<double>(bits >> 11U) * 0x1p-53 + half);
    }
    return result;
  }
  const auto bits = draw(of, 2 * count);
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint64_t both = (bits[2 * k] >> 32U) ^ (bits[2 * k + 1] >> 32U << 21U);
    result.push_back(static_cast<double>(both) * 0x1p-53 + half);
  }
  return result;
}

/// The inverse of the normal distribution, for quasi-random numbers: Newton's method on erfc.
double inverse_normal(double p) {
  double x = 0;
  for (int k = 0; k < 60; ++k) {
    const double error = 0.5 * std::erfc(-x * std::numbers::sqrt2 / 2) - p;
    const double density = std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
    const double step = error / std::max(density, 1e-300);
    x -= std::clamp(step, -0.5, 0.5);
    if (std::abs(step) < 1e-15) break;
  }
  return x;
}

/// G. E. P. Box and M. E. Muller (1958): two normal numbers of two uniform ones.
std::vector<double> draw_normal(curandGenerator_st& of, std::size_t count, double mean,
                                double deviation) {
  std::vector<double> numbers = draw_doubles(of, count);
  if (of.is_quasi()) {
    for (double& one : numbers) one = mean + deviation * inverse_normal(one);
    return numbers;
  }
  for (std::size_t k = 0; k + 1 < count; k += 2) {
    const double radius = std::sqrt(-2 * std::log(numbers[k])) * deviation;
    const double angle = 2 * std::numbers::pi * numbers[k + 1];
    numbers[k] = mean + radius * std::sin(angle);
    numbers[k + 1] = mean + radius * std::cos(angle);
  }
  return numbers;
}

/// Gives the numbers to the program, in memory of the host or of the device.
template <class T>
curandStatus_t give(const char* call, const curandGenerator_st& of, T* output,
                    std::vector<T> numbers) {
  if (numbers.empty()) return CURAND_STATUS_SUCCESS;
  if (of.is_of_host) {
    const int error = libraries::write_host(call, "the output", output, numbers.size() * sizeof(T),
                                            numbers.data());
    return error == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
  }
  const auto kept = std::make_shared<const std::vector<T>>(std::move(numbers));
  const int error = libraries::perform(call, of.stream, [=](libraries::Operation& on) {
    on.write("the output", output, libraries::Segments{{0, kept->size() * sizeof(T)}}, *kept);
  });
  return error == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

template <class T, class Make>
curandStatus_t generate(const char* call, curandGenerator_t generator, T* output, std::size_t count,
                        const Make& make) {
  return with_generator(call, generator, [&](curandGenerator_st& of) {
    if (of.is_quasi() && count % of.dimensions != 0) {
      return fail(call, CURAND_STATUS_LENGTH_NOT_MULTIPLE,
                  fmt::format("{} numbers for {} dimensions", count, of.dimensions));
    }
    return give<T>(call, of, output, make(of));
  });
}

template <class T>
curandStatus_t generate_normal(const char* call, curandGenerator_t generator, T* output,
                               std::size_t count, double mean, double deviation, bool is_log) {
  if (generators().is_live(generator) && !generator->is_quasi() && count % 2 != 0) {
    return fail(call, CURAND_STATUS_LENGTH_NOT_MULTIPLE,
                fmt::format("normal numbers are made in pairs, and {} is odd", count));
  }
  return generate(call, generator, output, count, [&](curandGenerator_st& of) {
    std::vector<T> numbers;
    numbers.reserve(count);
    for (const double one : draw_normal(of, count, mean, deviation)) {
      numbers.push_back(static_cast<T>(is_log ? std::exp(one) : one));
    }
    return numbers;
  });
}

/// Bits for the standard library's distributions.
struct Engine {
  using result_type = std::uint32_t;
  curandGenerator_st* of;
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~result_type{0}; }
  result_type operator()() { return static_cast<result_type>(draw(*of, 1).front() >> 32U); }
};

}  // namespace
}  // namespace bankproof::cuda::random

using namespace bankproof::cuda::random;

extern "C" {
curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type) {
  return create("curandCreateGenerator", generator, type, false);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type) {
  return create("curandCreateGeneratorHost", generator, type, true);
}
curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  return with_generator("curandDestroyGenerator", generator, [&](curandGenerator_st&) {
    generators().destroy(generator);
    return CURAND_STATUS_SUCCESS;
  });
}
curandStatus_t curandGetVersion(int* version) {
  if (version == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetProperty(libraryPropertyType property, int* value) {
  if (value == nullptr || property < MAJOR_VERSION || property > PATCH_LEVEL) {
    return CURAND_STATUS_OUT_OF_RANGE;
  }
  constexpr std::array values = {CURAND_VER_MAJOR, CURAND_VER_MINOR, CURAND_VER_PATCH};
  *value = values[static_cast<std::size_t>(property)];
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  return with_generator("curandSetStream", generator, [&](curandGenerator_st& of) {
    if (bankproof_library_has_stream("curandSetStream", stream) == 0) {
      return CURAND_STATUS_PREEXISTING_FAILURE;
    }
    of.stream = stream;
    return CURAND_STATUS_SUCCESS;
  });
}
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed) {
  constexpr const char* call = "curandSetPseudoRandomGeneratorSeed";
  return with_generator(call, generator, [&](curandGenerator_st& of) {
    if (of.is_quasi()) {
      return fail(call, CURAND_STATUS_TYPE_ERROR, "quasi-random numbers have no seed");
    }
    of.seed = seed;
    of.source.reset();
    return CURAND_STATUS_SUCCESS;
  });
}
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  return with_generator("curandSetGeneratorOffset", generator, [&](curandGenerator_st& of) {
    of.offset = offset;
    of.point = 0;
    of.source.reset();
    return CURAND_STATUS_SUCCESS;
  });
}
// The machine has one order for each type.
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t ordering) {
  constexpr const char* call = "curandSetGeneratorOrdering";
  return with_generator(call, generator, [&](const curandGenerator_st& of) {
    const bool is_quasi = ordering == CURAND_ORDERING_QUASI_DEFAULT;
    const bool is_pseudo =
        ordering >= CURAND_ORDERING_PSEUDO_BEST && ordering <= CURAND_ORDERING_PSEUDO_DYNAMIC;
    if (of.is_quasi() ? !is_quasi : !is_pseudo) {
      return fail(call, CURAND_STATUS_OUT_OF_RANGE, "the generator has no such order");
    }
    return CURAND_STATUS_SUCCESS;
  });
}
curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator,
                                                       unsigned int dimensions) {
  constexpr const char* call = "curandSetQuasiRandomGeneratorDimensions";
  return with_generator(call, generator, [&](curandGenerator_st& of) {
    if (!of.is_quasi()) {
      return fail(call, CURAND_STATUS_TYPE_ERROR, "pseudo-random numbers have no dimensions");
    }
    if (dimensions < 1 || dimensions > most_dimensions()) {
      return fail(
          call, CURAND_STATUS_OUT_OF_RANGE,
          fmt::format("the machine has direction numbers for 1 to {} dimensions, not for {}",
                      most_dimensions(), dimensions));
    }
    of.dimensions = dimensions;
    return CURAND_STATUS_SUCCESS;
  });
}
curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  return with_generator("curandGenerateSeeds", generator,
                        [](const curandGenerator_st&) { return CURAND_STATUS_SUCCESS; });
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int* output, size_t count) {
  constexpr const char* call = "curandGenerate";
  if (generators().is_live(generator) && generator->is_of_64_bits()) {
    return fail(call, CURAND_STATUS_TYPE_ERROR, "the generator's numbers have 64 bits");
  }
  return generate(call, generator, output, count, [&](curandGenerator_st& of) {
    std::vector<unsigned> numbers;
    for (const std::uint64_t bits : draw(of, count)) {
      numbers.push_back(static_cast<unsigned>(bits >> 32U));
    }
    return numbers;
  });
}
curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long* output,
                                      size_t count) {
  constexpr const char* call = "curandGenerateLongLong";
  if (generators().is_live(generator) && !generator->is_of_64_bits()) {
    return fail(call, CURAND_STATUS_TYPE_ERROR, "the generator's numbers have 32 bits");
  }
  return generate(call, generator, output, count, [&](curandGenerator_st& of) {
    const auto bits = draw(of, count);
    return std::vector<unsigned long long>(bits.begin(), bits.end());
  });
}
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* output, size_t count) {
  return generate("curandGenerateUniform", generator, output, count, [&](curandGenerator_st& of) {
    std::vector<float> numbers;
    for (const std::uint64_t bits : draw(of, count)) numbers.push_back(uniform_of(bits));
    return numbers;
  });
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* output,
                                           size_t count) {
  return generate("curandGenerateUniformDouble", generator, output, count,
                  [&](curandGenerator_st& of) { return draw_doubles(of, count); });
}
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* output, size_t count,
                                    float mean, float deviation) {
  return generate_normal("curandGenerateNormal", generator, output, count, mean, deviation, false);
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* output, size_t count,
                                          double mean, double deviation) {
  return generate_normal("curandGenerateNormalDouble", generator, output, count, mean, deviation,
                         false);
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* output, size_t count,
                                       float mean, float deviation) {
  return generate_normal("curandGenerateLogNormal", generator, output, count, mean, deviation,
                         true);
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* output,
                                             size_t count, double mean, double deviation) {
  return generate_normal("curandGenerateLogNormalDouble", generator, output, count, mean, deviation,
                         true);
}
curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int* output,
                                     size_t count, double lambda) {
  constexpr const char* call = "curandGeneratePoisson";
  constexpr double most = 400000;
  if (!(lambda > 0) || lambda > most) {
    return fail(call, CURAND_STATUS_OUT_OF_RANGE, "lambda is not in (0, 400000]");
  }
  if (generators().is_live(generator) && generator->is_quasi()) {
    return fail(call, CURAND_STATUS_TYPE_ERROR,
                "refused for quasi-random numbers: not written yet");
  }
  return generate(call, generator, output, count, [&](curandGenerator_st& of) {
    std::poisson_distribution<unsigned> distribution(lambda);
    Engine engine{&of};
    std::vector<unsigned> numbers;
    for (std::size_t k = 0; k < count; ++k) numbers.push_back(distribution(engine));
    return numbers;
  });
}
}
