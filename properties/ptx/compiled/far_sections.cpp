// The loader may map the code and the constants of an object file farther apart than 32 bits reach,
// and does not notice: each address in the object file needs 64 bits.
#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../../ptx/exec/describe.hpp"
#include "../exec/small_kernel.hpp"
#include "compiler.hpp"

#ifdef __x86_64__

namespace bankproof::ptx {
namespace {

using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::Not;

using Bytes = std::vector<char>;

template <class Part>
Part read(const Bytes& object, std::size_t at) {
  Part part;
  std::memcpy(&part, &object.at(at), sizeof(part));
  return part;
}

/// Where the relocations of an object file lie in it.
std::vector<std::size_t> places_of_relocations(const Bytes& object) {
  std::vector<std::size_t> places;
  const auto file = read<Elf64_Ehdr>(object, 0);
  for (std::size_t k = 0; k < file.e_shnum; ++k) {
    const auto section = read<Elf64_Shdr>(object, file.e_shoff + k * file.e_shentsize);
    if (section.sh_type != SHT_RELA) continue;
    for (std::size_t at = 0; at < section.sh_size; at += sizeof(Elf64_Rela)) {
      places.push_back(section.sh_offset + at);
    }
  }
  return places;
}

std::vector<unsigned> types_of_relocations(const Bytes& object) {
  std::vector<unsigned> types;
  for (const std::size_t at : places_of_relocations(object)) {
    types.push_back(ELF64_R_TYPE(read<Elf64_Rela>(object, at).r_info));
  }
  return types;
}

/// With so many blocks that LLVM makes a table of jumps, and with a constant of many lanes.
std::string branching_kernel() {
  std::string body = "cvt.rn.f32.u32 %r5, %r1;\n";
  for (int k = 0; k < 20; ++k) {
    const std::string label = "L" + std::to_string(k);
    body += "setp.eq.u32 %p1, %r1, " + std::to_string(k) + ";\n@%p1 bra " + label +
            ";\nfma.rn.f32 %r5, %r5, %r5, 0f3F8CCCCD;\nadd.u32 %r1, %r1, %r2;\n" + label + ":\n";
  }
  return kernel(body + "cvt.rzi.u32.f32 %r3, %r5;\nst.global.u32 [%rd2], %r3;\nret;");
}

const auto all_have_64_bits = [] { return Each(AnyOf(R_X86_64_64, R_X86_64_PC64)); };

class FarSections : public WithCompiler {
 protected:
  Bytes compiled() const {
    const Program program = decode(parse(branching_kernel(), "k.ptx"), "k");
    const Description description(program);
    const compiled::Object object = compiler_->compile(description.order(compiled::Mistake::none));
    if (object.why != nullptr) throw std::runtime_error(object.why);
    const auto* const first = static_cast<const char*>(object.data);
    return {first, first + object.bytes};
  }
};

TEST_F(FarSections, are_reached_by_addresses_of_64_bits) {
  const std::vector<unsigned> types = types_of_relocations(compiled());
  EXPECT_THAT(types, Contains(R_X86_64_64));
  EXPECT_THAT(types, all_have_64_bits());
}

TEST_F(FarSections, that_32_bits_would_have_to_reach_are_seen) {
  Bytes object = compiled();
  const std::size_t at = places_of_relocations(object).back();
  auto relocation = read<Elf64_Rela>(object, at);
  relocation.r_info = ELF64_R_INFO(ELF64_R_SYM(relocation.r_info), R_X86_64_PC32);
  std::memcpy(&object[at], &relocation, sizeof(relocation));
  EXPECT_THAT(types_of_relocations(object), Not(all_have_64_bits()));
}

}  // namespace
}  // namespace bankproof::ptx

#endif
