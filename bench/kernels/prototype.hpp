// The throwaway prototype of the PTX machine, for comparison in the same run. It is not in the
// repository: -DBANKPROOF_PTX_PROTOTYPE=PATH/ptx2.cpp builds it in (bench/CMakeLists.txt).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace prototype {

bool is_built_in();

/// The work of a launch, as the prototype counts it.
struct Counts {
  double instructions = 0;
  double accesses = 0;
};

/// A kernel of a PTX text, its buffers of words, and its arguments. The constructor copies the
/// buffers.
class Launch {
 public:
  struct Shape {
    int grid_x = 1;
    int grid_y = 1;
    int block_x = 1;
    int block_y = 1;
  };
  Launch(const std::string& ptx, const std::string& kernel, const Shape& shape,
         const std::vector<const std::vector<std::uint32_t>*>& buffers,
         const std::vector<std::uint64_t>& numbers);
  ~Launch();
  Launch(const Launch&) = delete;
  Launch& operator=(const Launch&) = delete;

  Counts run();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace prototype
