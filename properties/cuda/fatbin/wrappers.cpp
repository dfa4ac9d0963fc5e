// Wrappers, as nvcc puts them into programs, and the containers to which they lead.
#include <gtest/gtest.h>

#include <string>

#include "../../../cuda/fatbin/wrapper.hpp"
#include "writer.hpp"

namespace bankproof::cuda {
namespace {

constexpr int magic = 0x466243b1;

TEST(Wrapper, of_one_file_leads_to_its_container) {
  const std::string container = container_bytes({{}}) + container_bytes({{}});
  const FatBinaryWrapper wrapper{magic, 1, container.data(), nullptr};
  ASSERT_TRUE(is_of_nvcc(wrapper));
  const auto containers = containers_of(wrapper);
  ASSERT_EQ(containers.size(), 1U);
  EXPECT_EQ(containers[0].size(), container.size() / 2);
}

TEST(Wrapper, of_a_linked_program_leads_to_the_containers_of_its_files) {
  const std::string linked = container_bytes({});
  const std::string a = container_bytes({{.text = "a"}});
  const std::string b = container_bytes({{.text = "b"}});
  const void* const list[] = {a.data(), b.data(), nullptr};
  const auto containers = containers_of({magic, 2, linked.data(), list});
  ASSERT_EQ(containers.size(), 2U);
  EXPECT_EQ(text_of(read_fat_binary(containers[0]).at(0)), "a");
  EXPECT_EQ(text_of(read_fat_binary(containers[1]).at(0)), "b");
}

TEST(Wrapper, of_another_compiler_or_version_is_told_apart) {
  const std::string text = "// source: a.cu\n.version 7.8\n";
  EXPECT_FALSE(is_of_nvcc({magic, 1, text.data(), nullptr}));
  const std::string container = container_bytes({{}});
  EXPECT_FALSE(is_of_nvcc({1, 1, container.data(), nullptr}));
  EXPECT_THROW(containers_of({1, 1, container.data(), nullptr}), FatBinaryError);
  EXPECT_THROW(containers_of({magic, 3, container.data(), nullptr}), FatBinaryError);
  EXPECT_THROW(containers_of({magic, 1, text.data(), nullptr}), FatBinaryError);
}

}  // namespace
}  // namespace bankproof::cuda
