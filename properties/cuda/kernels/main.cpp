// The program of the CUDA kernels: it runs their differential tests, and more for ci/gpu.
//
//     program [--gtest_…]          the tests
//     program scenarios            the names of all scenarios, a line each
//     program scenario NAME…       runs these; exit 1 if one is wrong
//     program device               the GPU, as JSON; exit 3 if there is none
//     program bench …              times, as JSON; bench/gpu/benchmark.hpp describes the arguments
//     program predict FILE         JSON of predictions.hpp (only on the reference machine)
//     program predictions          the same JSON, built into the program for GPU machines
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "../../../bench/gpu/benchmark.hpp"
#include "../../../cuda/kernels/support/device.hpp"
#include "predictions.hpp"
#include "scenarios.hpp"
#ifdef BANKPROOF_ON_MACHINE
#include <unistd.h>
#endif

namespace bankproof::cuda::tests {
namespace {

bool scenario_is_right(const Scenario& scenario) {
  try {
    const bool right = scenario.is_right();
    require(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    return right;
  } catch (const std::exception& error) {
    std::cerr << scenario.name << ": " << error.what() << '\n';
  } catch (...) {  // a failed property throws
    std::cerr << scenario.name << ": written outside of an array\n";
  }
  return false;
}

int run_scenarios(std::span<char*> names) {
  if (names.empty()) {
    std::cerr << "scenario: which? `scenarios` lists them\n";
    return 2;
  }
  auto scenarios = all_scenarios();
  for (Scenario& scenario : planted_scenarios()) scenarios.push_back(std::move(scenario));
  bool all_right = true;
  for (const std::string name : names) {
    const auto found = std::find_if(scenarios.begin(), scenarios.end(),
                                    [&](const Scenario& each) { return each.name == name; });
    if (found == scenarios.end()) {
      std::cerr << "scenario: there is no '" << name << "'; `scenarios` lists them\n";
      return 2;
    }
    const bool right = scenario_is_right(*found);
    all_right = all_right && right;
    std::cout << (right ? "right " : "WRONG ") << name << std::endl;
  }
  return all_right ? 0 : 1;
}

int list_scenarios() {
  for (const Scenario& scenario : all_scenarios()) std::cout << scenario.name << '\n';
  return 0;
}

int describe_device() {
  int driver = 0;
  cudaDeviceProp properties{};
  try {
    require(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
    require(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
  } catch (const CudaError& error) {
    std::cerr << "no GPU: " << error.what() << '\n';
    return 3;
  }
  const nlohmann::ordered_json device = {
      {"name", properties.name},
      {"capability", std::to_string(properties.major) + "." + std::to_string(properties.minor)},
      {"multiprocessors", properties.multiProcessorCount},
      {"bytes", properties.totalGlobalMem},
      {"l2_bytes", properties.l2CacheSize},
      {"driver", driver}};
  std::cout << device << '\n';
  return 0;
}

int predict([[maybe_unused]] std::span<char*> arguments) {
#ifdef BANKPROOF_ON_MACHINE
  if (arguments.size() != 3) {
    std::cerr << "usage: predict FILE\n";
    return 2;
  }
  // The program creates the reference machine before main() begins, from the environment at that
  // time.
  constexpr const char* variable = "BANKPROOF_MACHINE";
  if (const char* const machine = std::getenv(variable); machine == nullptr) {
    ::setenv(variable, "sm_90", 1);
    ::execv("/proc/self/exe", arguments.data());
    std::cerr << "predict: cannot start again with " << variable << "=sm_90\n";
    return 3;
  }
  std::ofstream file(arguments[2]);
  write_predictions(file);
  file.close();
  if (!file) {
    std::cerr << "predict: cannot write " << arguments[2] << '\n';
    return 3;
  }
  return 0;
#else
  std::cerr << "predict: ask properties_cuda, which has the reference machine\n";
  return 2;
#endif
}

int show_predictions() {
#ifdef BANKPROOF_ON_MACHINE
  std::cerr << "predictions: ask bankproof-gpu, which has them; here `predict FILE` makes them\n";
  return 2;
#else
  std::cout << bankproof_predictions;
  return 0;
#endif
}

int run(int count, char** arguments) {
  const std::span<char*> words(arguments, static_cast<std::size_t>(count));
  const std::string command = count > 1 ? words[1] : "";
  if (command == "scenarios") return list_scenarios();
  if (command == "scenario") return run_scenarios(words.subspan(2));
  if (command == "bench") return bench::run_benchmarks({words.begin() + 2, words.end()});
  if (command == "device") return describe_device();
  if (command == "predict") return predict(words);
  if (command == "predictions") return show_predictions();
  ::testing::InitGoogleMock(&count, arguments);
  if (count > 1) {
    std::cerr << "no such command: " << words[1]
              << "; there are: scenarios, scenario, device, bench, predict, predictions\n";
    return 2;
  }
  return RUN_ALL_TESTS();
}

}  // namespace
}  // namespace bankproof::cuda::tests

int main(int count, char** arguments) { return bankproof::cuda::tests::run(count, arguments); }
