// If this machine has nvcc, nvcc makes the PTX, and clang compiles the host's code. The two
// compilers mangle names in unnamed namespaces differently.
#include "support.hpp"

namespace bankproof::cuda::tests {
namespace {

using ::testing::Each;

TEST(UnnamedNamespaces, have_kernels_and_variables_of_their_own_files) {
  take_launches();
  DeviceArray<int> numbers(100);
  ASSERT_EQ(cudaMemset(numbers.data(), 0, 400), cudaSuccess);
  first::add(numbers.data(), 100);
  EXPECT_THAT(numbers.values(), Each(1));
  second::add(numbers.data(), 100);
  EXPECT_THAT(numbers.values(), Each(11));
  EXPECT_EQ(first::set_added(3), cudaSuccess);
  EXPECT_EQ(second::set_added(5), cudaSuccess);
  first::add(numbers.data(), 100);
  second::add(numbers.data(), 100);
  EXPECT_THAT(numbers.values(), Each(64));
  second::add(numbers.data(), 100);
  int launches = 0;
  EXPECT_EQ(first::get_launches(&launches), cudaSuccess);
  EXPECT_EQ(launches, 2);
  EXPECT_EQ(second::get_launches(&launches), cudaSuccess);
  EXPECT_EQ(launches, 3);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  expect_no_faults();
}

}  // namespace
}  // namespace bankproof::cuda::tests
