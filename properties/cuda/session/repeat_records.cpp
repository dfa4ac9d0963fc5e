// Launches that repeat are told by the records of their accesses. Here a test makes the records and
// the changes itself, so that the shadow can forget, and records can lie in any place.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>

#include "../../../cuda/session/repeats.hpp"
#include "../../../ptx/races/sector_record.hpp"

namespace bankproof::cuda {
namespace {

using ptx::GlobalMemory;
using ptx::SectorForm;
using ptx::SectorRecord;
using ptx::WarpNumber;

/// Launches of one warp, whose kernel is the key.
struct Launches {
  Launches() { memory.add_buffer("a", 3 * GlobalMemory::page_bytes, true); }

  /// The launch's warp accesses a sector, with this worker's records.
  void touch(std::size_t sector, bool writes, std::size_t worker = 0) {
    auto& workers = memory[0].shadow.of_workers;
    if (workers.size() <= worker) workers.resize(worker + 1);
    const ptx::SectorRecords records = memory[0].records(worker).sector(sector);
    (writes ? records.write : records.read) =
        SectorRecord::of(warp, 1, SectorForm::one, 0, ptx::all_words);
  }
  void store(std::size_t sector, std::byte value) {
    const std::size_t at = sector * ptx::sector_bytes;
    memory.save(memory[0], at / GlobalMemory::page_bytes, 0);
    memory[0].data.data()[at] = value;
    touch(sector, true);
  }
  template <class Execute>
  bool is_repeated(int kernel, const Execute& execute, bool fails = false) {
    LaunchKey key;
    key.kernel = &kernels[kernel];
    if (repeats.find(key, memory, false) != nullptr) return true;
    repeats.begin(memory, false);
    warp = memory.take_warps(1);
    memory.keep();
    execute();
    if (fails) {
      repeats.forget(memory);
    } else {
      repeats.end(memory, std::make_shared<KeptLaunch>());
    }
    return false;
  }
  /// Two launches that are executed, and one that repeats the second.
  template <class Execute>
  void warm_up(const Execute& execute) {
    for (const bool expected : {false, false, true}) EXPECT_EQ(is_repeated(0, execute), expected);
  }
  /// The host changes a byte of the sector.
  void change(std::size_t sector) {
    const std::byte value = memory[0].data.data()[sector * ptx::sector_bytes] ^ std::byte{1};
    memory.write(0, sector * ptx::sector_bytes, {&value, 1});
  }
  /// The shadow forgets the accesses to the sector, as if a race was suspected there.
  void forget(std::size_t sector) {
    memory.watch({ptx::buffer_address(0) + sector * ptx::sector_bytes});
    memory.watch({});
  }

  GlobalMemory memory;
  Repeats repeats;
  WarpNumber warp = 0;
  int kernels[2]{};
};

constexpr std::size_t sectors = 3 * GlobalMemory::page_bytes / ptx::sector_bytes;

TEST(RepeatRecords, tell_each_sector_that_a_launch_touched) {
  for (std::size_t sector = 0; sector < sectors; ++sector) {
    for (const bool writes : {false, true}) {
      for (const std::size_t worker : {0U, 1U, 2U}) {
        Launches launches;
        const auto execute = [&] { launches.touch(sector, writes, worker); };
        launches.warm_up(execute);
        const auto touched = ptx::touched_since(launches.memory[0], launches.warp);
        ASSERT_EQ(touched.size(), 1U);
        EXPECT_EQ(touched[0].begin, sector * ptx::sector_bytes);
        EXPECT_EQ(touched[0].end, (sector + 1) * ptx::sector_bytes);
        const std::size_t of_page = GlobalMemory::page_bytes / ptx::sector_bytes;
        launches.change((sector + of_page) % sectors);
        EXPECT_TRUE(launches.is_repeated(0, execute)) << "another page has changed";
        launches.change(sector / of_page * of_page);
        EXPECT_FALSE(launches.is_repeated(0, execute));
      }
    }
  }
}

TEST(RepeatRecords, that_the_shadow_has_forgotten_tell_nothing) {
  Launches launches;
  const auto execute = [&] { launches.touch(5, false); };
  launches.warm_up(execute);
  EXPECT_NE(launches.repeats.known(launches.memory, false), nullptr);
  launches.forget(5);
  EXPECT_EQ(launches.repeats.known(launches.memory, false), nullptr);
  launches.change(5);
  EXPECT_FALSE(launches.is_repeated(0, execute));
}

TEST(RepeatRecords, tell_nothing_after_the_numbers_of_warps_have_begun_again) {
  Launches launches;
  const auto execute = [&] { launches.touch(5, false); };
  launches.warm_up(execute);
  launches.memory.take_warps(ptx::most_warps - 2);
  launches.change(5);
  EXPECT_FALSE(launches.is_repeated(0, execute));
}

TEST(RepeatRecords, that_are_forgotten_during_the_launch_keep_it_from_being_repeated) {
  Launches launches;
  const auto execute = [&] {
    launches.touch(5, false);
    launches.forget(5);
  };
  for (int k = 0; k < 5; ++k) EXPECT_FALSE(launches.is_repeated(0, execute));
}

TEST(RepeatRecords, include_stores_of_launches_that_fail_or_are_not_compared) {
  for (const bool fails : {false, true}) {
    Launches launches;
    const auto read = [&] { launches.touch(5, false); };
    launches.warm_up(read);
    launches.is_repeated(
        1, [&] { launches.store(5, std::byte{9}); }, fails);
    EXPECT_FALSE(launches.is_repeated(0, read));
  }
}

}  // namespace
}  // namespace bankproof::cuda
