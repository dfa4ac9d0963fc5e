// wmma: loading, multiplying and storing matrices gives their product, whatever the lanes hold.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "../../../ptx/matrix/forms.hpp"
#include "../exec/small_kernel.hpp"
#include "fragment_oracle.hpp"

namespace bankproof::ptx {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> parts_of(const std::string& opcode) {
  std::vector<std::string> parts{""};
  for (const char c : opcode) {
    if (c == '.') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

// A matrix in memory: its rows and columns, and the byte at which it begins.
struct Tile {
  std::string type;
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
  bool by_columns = false;
  std::uint32_t at = 0;
  std::uint32_t padding = 0;  // elements after each row (or column)

  std::uint32_t bytes() const { return fragment_oracle::element_width(type) / 8; }
  std::uint32_t stride() const { return (by_columns ? rows : columns) + padding; }
  std::size_t place(std::uint32_t row, std::uint32_t column) const {
    const std::uint32_t element = by_columns ? column * stride() + row : row * stride() + column;
    return at + std::size_t{element} * bytes();
  }
  void set(std::vector<std::byte>& memory, std::uint32_t row, std::uint32_t column,
           double value) const {
    const std::uint64_t bits = fragment_oracle::element_bits(type, value);
    std::memcpy(memory.data() + place(row, column), &bits, bytes());
  }
  double get(const std::vector<std::byte>& memory, std::uint32_t row, std::uint32_t column) const {
    std::uint64_t bits = 0;
    std::memcpy(&bits, memory.data() + place(row, column), bytes());
    return fragment_oracle::element_value(type, bits);
  }
  // The number of registers of the fragment (PTX ISA, "Matrix Fragments for WMMA").
  std::size_t registers(char matrix) const {
    if (type == "f16" && (matrix == 'a' || matrix == 'b')) return 8;
    return std::size_t{rows} * columns * bytes() / (type == "f64" ? 256 : 128);
  }
  std::string name() const { return type == "f64" ? "%fd" : type == "f32" ? "%f" : "%x"; }
};

constexpr std::size_t memory_bytes = 16384;

// The parts of one multiplication, read from its opcode.
struct Case {
  explicit Case(std::string spelled) : opcode(std::move(spelled)) {
    std::vector<std::string> parts = parts_of(opcode);
    saturates = parts.back() == "satfinite";
    if (saturates || parts.back() == "rn") parts.pop_back();
    shape = parts.at(6);
    if (parts.at(7) == "rn") parts.erase(parts.begin() + 7);
    const auto number = [&](char letter) {
      return static_cast<std::uint32_t>(std::stoul(shape.substr(shape.find(letter) + 1)));
    };
    const std::string& element = parts.size() == 9 ? "f16" : parts.at(8);
    const std::uint32_t m = number('m');
    const std::uint32_t n = number('n');
    const std::uint32_t k = number('k');
    const bool a_by_columns = parts.at(4) == "col";
    const bool b_by_columns = parts.at(5) == "col";
    a = {element, m, k, a_by_columns, 0, 8};
    b = {element, k, n, b_by_columns, 6144, 0};
    c = {parts.back(), m, n, b_by_columns, 10240, 4};
    d = {parts.at(7), m, n, a_by_columns, 0, 8};
  }
  std::string opcode, shape;
  Tile a, b, c, d;
  bool saturates = false;
};

// The fragments begin at registers 0, 8, 16 and 24. `used` collects the opcodes of loads and
// stores.
std::string tile_kernel_text(const Case& one, const std::string& space,
                             std::set<std::string>& used) {
  const bool shared = space.find("shared") != std::string::npos;
  std::string text =
      ".version 8.3\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 in)\n{\n"
      ".reg .pred %p<4>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.reg .b32 %x<40>;\n"
      ".reg .f32 %f<40>;\n.reg .f64 %fd<40>;\n.shared .align 32 .b8 tile[16384];\n"
      "ld.param.u64 %rd1, [in];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\n";
  const std::string copy =
      "mov.u32 %r3, tile;\nmov.u32 %r2, 0;\nadd.s64 %rd3, %rd1, %rd2;\nshl.b32 %r4, %r1, 2;\n"
      "add.u32 %r3, %r3, %r4;\n@: FROM\nTO\nadd.s64 %rd3, %rd3, 128;\nadd.u32 %r3, %r3, 128;\n"
      "add.u32 %r2, %r2, 128;\nsetp.lt.u32 %p1, %r2, 16384;\n@%p1 bra @;\nbar.sync 0;\n";
  const auto copied = [&](const std::string& label, const std::string& from,
                          const std::string& to) {
    std::string result = copy;
    result.replace(result.find("FROM"), 4, from);
    result.replace(result.find("TO"), 2, to);
    for (std::size_t at = 0; (at = result.find('@', at)) != std::string::npos; ++at) {
      if (result[at + 1] != '%') result.replace(at, 1, label);
    }
    return result;
  };
  text += copied("IN", "ld.global.u32 %r5, [%rd3];", "st.shared.u32 [%r3], %r5;");
  text += shared ? "mov.u64 %rd4, tile;\n" : "mov.u64 %rd4, %rd1;\n";
  std::size_t first = 0;
  std::string operands[4];
  const auto move = [&](const Tile& tile, char matrix) {
    const std::string opcode = std::string(matrix == 'd' ? "wmma.store." : "wmma.load.") + matrix +
                               ".sync.aligned." + (tile.by_columns ? "col." : "row.") + one.shape +
                               space + "." + tile.type;
    used.insert(opcode);
    const std::string address = "[%rd4+" + std::to_string(tile.at) + "]";
    const std::string& registers = operands[matrix - 'a'];
    text +=
        opcode + " " + (matrix == 'd' ? address + ", " + registers : registers + ", " + address);
    text += tile.padding == 0 ? ";\n" : ", " + std::to_string(tile.stride()) + ";\n";
  };
  const std::pair<const Tile*, char> tiles[] = {
      {&one.a, 'a'}, {&one.b, 'b'}, {&one.c, 'c'}, {&one.d, 'd'}};
  for (const auto& [tile, matrix] : tiles) {
    std::string& list = operands[matrix - 'a'];
    for (std::size_t r = 0; r < tile->registers(matrix); ++r) {
      list += (r == 0 ? "{" : ", ") + tile->name() + std::to_string(first + r);
    }
    list += "}";
    first += 8;
    if (matrix != 'd') move(*tile, matrix);
  }
  text += "bar.sync 0;\n" + one.opcode + " " + operands[3] + ", " + operands[0] + ", " +
          operands[1] + ", " + operands[2] + ";\n";
  move(one.d, 'd');
  text += "bar.sync 0;\n";
  if (shared) {
    text += copied("OUT", "ld.shared.u32 %r5, [%r3];", "st.global.u32 [%rd3], %r5;");
  }
  return text + "ret;\n}\n";
}

TEST(MatrixTiles, are_loaded_multiplied_and_stored) {
  std::mt19937 random(3);
  std::uniform_int_distribution<int> numbers(-5, 5);
  std::set<std::string> used;
  std::size_t tried = 0;
  for (const MultiplyForm& form : multiply_forms()) {
    if (form.opcode.rfind("wmma.", 0) != 0) continue;
    ++tried;
    const Case one(form.opcode);
    for (const std::string space : {"", ".global", ".shared", ".shared::cta"}) {
      std::vector<std::byte> memory(memory_bytes);
      for (const Tile* const tile : {&one.a, &one.b, &one.c}) {
        for (std::uint32_t row = 0; row < tile->rows; ++row) {
          for (std::uint32_t column = 0; column < tile->columns; ++column) {
            const int number = numbers(random);
            tile->set(memory, row, column, tile->type[0] == 'u' ? std::abs(number) : number);
          }
        }
      }
      KernelRun run(tile_kernel_text(one, space, used), "k");
      const std::uint32_t buffer = run.buffer(memory);
      run.launch({1, 1, 1}, {32, 1, 1});
      EXPECT_THAT(run.faults(), IsEmpty()) << form.opcode << space;
      const std::vector<std::byte> out = run.data<std::byte>(buffer);
      for (std::uint32_t row = 0; row < one.d.rows; ++row) {
        for (std::uint32_t column = 0; column < one.d.columns; ++column) {
          double sum = one.c.get(memory, row, column);
          for (std::uint32_t k = 0; k < one.a.columns; ++k) {
            sum += one.a.get(memory, row, k) * one.b.get(memory, k, column);
          }
          ASSERT_EQ(one.d.get(out, row, column), sum)
              << form.opcode << space << " at " << row << ", " << column;
        }
      }
    }
  }
  EXPECT_EQ(tried, 124U);
  std::set<std::string> all;
  for (const TileForm& form : tile_forms()) EXPECT_TRUE(all.insert(form.opcode).second);
  EXPECT_EQ(used, all);
}

// ---- Costs and faults

std::string load(const std::string& opcode, std::uint32_t registers, const std::string& operands,
                 const std::string& before = {}) {
  std::string list;
  for (std::uint32_t r = 0; r < registers; ++r) {
    list += (r == 0 ? "{%r2" : ", %r2") + std::to_string(r);
  }
  return kernel(before + opcode + " " + list + "}, " + operands + ";\nret;",
                ".shared .align 32 .b8 tile[4096];\n");
}

AccessCounts total(const Ran& ran) {
  AccessCounts all;
  for (const auto& [site, counts] : ran.result.counts) all.add(counts);
  return all;
}

TEST(MatrixTiles, cost_what_the_accesses_of_their_fragments_cost) {
  // Consecutive rows of 32 bytes: a register covers 16 bytes in each of 8 rows.
  const Ran rows =
      run(load("wmma.load.a.sync.aligned.row.m16n16k16.global.f16", 8, "[%rd1]"), 1, 32, 128);
  EXPECT_THAT(rows.faults, IsEmpty());
  EXPECT_EQ(total(rows).accesses, 4U);
  EXPECT_EQ(total(rows).sectors, 4 * 8U);
  // By columns, no two elements of a register are neighbors.
  const Ran columns =
      run(load("wmma.load.a.sync.aligned.col.m16n16k16.global.f16", 8, "[%rd1]"), 1, 32, 128);
  EXPECT_THAT(columns.faults, IsEmpty());
  EXPECT_EQ(total(columns).accesses, 8U);
  // Each lane loads two floats of a row: a sector in each of 8 rows.
  const Ran floats =
      run(load("wmma.load.c.sync.aligned.row.m16n16k16.global.f32", 8, "[%rd1]"), 1, 32, 256);
  EXPECT_THAT(floats.faults, IsEmpty());
  EXPECT_EQ(total(floats).accesses, 4U);
  EXPECT_EQ(total(floats).sectors, 4 * 8U);
  EXPECT_EQ(total(floats).ideal_sectors, 4 * 8U);
  // Rows of 128 bytes: the eight rows of a register begin in the same bank.
  const std::string fill =
      "mov.u32 %r10, tile;\nshl.b32 %r11, %r1, 7;\nadd.u32 %r12, %r10, %r11;\nmov.u32 %r13, 0;\n"
      "FILL: add.u32 %r14, %r12, %r13;\nst.shared.u32 [%r14], %r13;\nadd.u32 %r13, %r13, 4;\n"
      "setp.lt.u32 %p1, %r13, 128;\n@%p1 bra FILL;\nbar.sync 0;\n";
  const auto wavefronts = [&](std::uint32_t stride) {
    const Ran filled = run(kernel(fill + "ret;", ".shared .align 32 .b8 tile[4096];\n"), 1, 32);
    const Ran ran = run(load("wmma.load.a.sync.aligned.row.m16n16k16.shared.f16", 8,
                             "[%r10], " + std::to_string(stride), fill),
                        1, 32);
    EXPECT_THAT(ran.faults, IsEmpty());
    return total(ran).wavefronts - total(filled).wavefronts;
  };
  EXPECT_EQ(wavefronts(64), 4 * 8U);
  EXPECT_EQ(wavefronts(72), 4U);
}

TEST(MatrixTiles, tell_what_is_wrong_with_an_element) {
  const std::string opcode = "wmma.load.b.sync.aligned.col.m16n16k16.";
  EXPECT_THAT(run(load(opcode + "global.f16", 8, "[%rd1]"), 1, 32, 120).faults,
              ElementsAre(FaultKind::out_of_bounds));
  EXPECT_THAT(run(load(opcode + "global.f16", 8, "[%rd1+2]"), 1, 32, 200).faults,
              ElementsAre(FaultKind::misaligned));
  EXPECT_THAT(run(load(opcode + "shared.f16", 8, "[tile]"), 1, 32, 128).faults,
              ElementsAre(FaultKind::uninitialized));
  EXPECT_THAT(run(load(opcode + "global.f16", 8, "[%rd1]"), 1, 16, 128).faults,
              ElementsAre(FaultKind::inactive_lane));
}

TEST(MatrixTiles, that_are_not_known_are_refused) {
  for (const std::string opcode : {"wmma.load.a.sync.aligned.row.m8n8k128.global.b1",
                                   "wmma.load.a.sync.aligned.row.m8n8k32.s4",
                                   "wmma.load.d.sync.aligned.row.m16n16k16.global.f32",
                                   "wmma.load.a.sync.aligned.row.m16n16k16.local.f16"}) {
    try {
      run(load(opcode, 8, "[%rd1]"), 1, 32);
      ADD_FAILURE() << opcode << " is accepted";
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).rfind("unsupported: " + opcode + ", k.ptx:", 0), 0U)
          << error.what();
    }
  }
  EXPECT_THROW(run(load("wmma.load.a.sync.aligned.row.m16n16k16.f16", 4, "[%rd1]"), 1, 32), Error);
}

}  // namespace
}  // namespace bankproof::ptx
