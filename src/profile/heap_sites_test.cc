// SPDX-License-Identifier: MIT
#include "profile/heap_sites.h"

#include <gtest/gtest.h>

#include <cstring>

#include "profile/allocating_code.h"
#include "profile/test_recording.h"
#include "symbol/file_resolver.h"

namespace hm::profile {
namespace {

record::EventDescription site_event(uint64_t id) {
  record::EventDescription event = test_event(record::kHeapSiteEvent, id, PERF_SAMPLE_ADDR | PERF_SAMPLE_RAW);
  event.attr.config = record::kHeapSiteConfig;
  return event;
}

class HeapSitesTest : public ::testing::Test {
 protected:
  // Adds a sample in a block that was allocated at this site.
  void sample(uint64_t time_ns, uint32_t site) {
    struct [[gnu::packed]] {
      record::SampleExtension sample{record::kExtensionMagic,
                                     5,
                                     8,
                                     record::AccessKind::kLoad,
                                     record::MissClass::kNone,
                                     record::MissClass::kNone,
                                     record::MissClass::kNone,
                                     record::LoadReplay::kNone,
                                     record::CyclesOf::kUnknown};
      record::HeapBlockExtension block{record::kHeapBlockMagic, 0x1000, 100, 0};
    } raw;
    raw.block.site = site;
    record::Sample sample;
    sample.raw = std::as_bytes(std::span(&raw, 1));
    recording_.sample(time_ns, 7, 0x10, sample);
  }

  void site(uint64_t time_ns, uint32_t number, uint64_t return_address,
            uint32_t magic = record::kHeapSiteMagic) {
    record::HeapSiteExtension extension{magic, number, 0};
    record::Sample sample;
    sample.addr = return_address;
    sample.raw = std::as_bytes(std::span(&extension, 1));
    recording_.sample(time_ns, 7, 0x20, sample, 1);
  }

  // Returns the addresses of a site's chain.
  static std::vector<uint64_t> chain_of(const Profile& profile, size_t site) {
    std::vector<uint64_t> addresses;
    for (uint32_t location : profile.heap_sites[site].chain)
      addresses.push_back(profile.locations[location].address);
    return addresses;
  }

  TestRecording recording_{{test_event("e", 1, PERF_SAMPLE_RAW), site_event(2)}};
};

TEST_F(HeapSitesTest, BelongToTheBlocksOfSamples) {
  site(1, 900, 0x31);
  sample(2, 900);
  site(3, 500, 0x41);
  sample(4, 500);
  sample(5, 900);
  sample(6, 0);
  for (size_t samples_per_segment : {1000, 1}) {
    LoadOptions options;
    options.samples_per_segment = samples_per_segment;
    const Profile profile = recording_.load(options);
    ASSERT_EQ(profile.events.size(), 1u);
    ASSERT_EQ(profile.samples.size(), 4u);
    EXPECT_EQ(profile.samples.heap_start.at(0), 0x1000u);
    EXPECT_EQ(profile.samples.heap_bytes.at(0), 100u);
    ASSERT_EQ(profile.heap_sites.size(), 2u);
    EXPECT_EQ(profile.samples.heap_site.at(0), 0u);
    EXPECT_EQ(profile.samples.heap_site.at(1), 1u);
    EXPECT_EQ(profile.samples.heap_site.at(2), 0u);
    EXPECT_EQ(profile.samples.heap_site.at(3), std::nullopt);
    // Without a copy of the stack, the chain is the allocator and the call.
    EXPECT_EQ(chain_of(profile, 0), (std::vector<uint64_t>{0x20, 0x30}));
    EXPECT_EQ(chain_of(profile, 1), (std::vector<uint64_t>{0x20, 0x40}));
  }
}

TEST_F(HeapSitesTest, OnesThatWereNotRecordedAreUnknown) {
  site(1, 1, 0x31);
  site(2, 1, 0x41);     // a second description: the first is used
  site(3, 2, 0x51, 1);  // described by another process
  sample(4, 0xffffffff);
  sample(5, 1);
  recording_.read(6, 7, 2, 1000);  // a total of an event that is not counted
  const Profile profile = recording_.load();
  ASSERT_EQ(profile.heap_sites.size(), 2u);
  EXPECT_EQ(profile.heap_sites[0].number, 1u);
  EXPECT_EQ(chain_of(profile, 0), (std::vector<uint64_t>{0x20, 0x30}));
  EXPECT_TRUE(profile.heap_sites[1].chain.empty());
  EXPECT_EQ(AllocatingCode(profile, symbol::FileResolver()).at(profile.heap_sites[1]), std::nullopt);
  EXPECT_EQ(profile.samples.heap_site.at(0), 1u);
  EXPECT_TRUE(profile.totals.empty());
}

TEST_F(HeapSitesTest, AreLeftOutWhereNobodyAsks) {
  site(1, 1, 0x31);
  sample(2, 1);
  LoadOptions options;
  options.needs = kPlacesOnly;
  const Profile profile = recording_.load(options);
  EXPECT_EQ(profile.samples.size(), 1u);
  EXPECT_TRUE(profile.heap_sites.empty());
  EXPECT_TRUE(profile.samples.heap_start.empty());
}

TEST(AllocatingCode, IsNotTheStandardLibrarys) {
  EXPECT_TRUE(allocates_for_caller("operator new(unsigned long)"));
  EXPECT_TRUE(allocates_for_caller("operator new[](unsigned long, std::align_val_t)"));
  EXPECT_TRUE(allocates_for_caller("std::vector<int, std::allocator<int> >::reserve(unsigned long)"));
  EXPECT_TRUE(allocates_for_caller("void std::vector<Row>::_M_realloc_insert<Row const&>(Row*, Row const&)"));
  for (const char* rust :
       {"alloc::alloc::alloc", "<alloc::alloc::Global as core::alloc::Allocator>::allocate",
        "hashbrown::raw::RawTable<T,A>::reserve_rehash", "__rust_alloc"})
    EXPECT_TRUE(allocates_for_caller(rust)) << rust;
  EXPECT_TRUE(allocates_for_caller("__gnu_cxx::new_allocator<int>::allocate(unsigned long, void const*)"));
  for (const char* wrapper :
       {"zmalloc", "ztrymalloc_usable", "ztryrealloc_usable_internal", "zcalloc_num", "git__calloc",
        "xrealloc", "palloc0", "g_malloc0_n", "MemoryContextAllocZero", "Perl_safesysmalloc",
        "sqlite3DbMallocRawNN", "CRYPTO_zalloc", "xstrdup", "zmalloc.part.0",
        "Arena::Allocate(unsigned long) [clone .isra.0]", "Pool::alloc(int) const",
        "leveldb::Arena::Allocate(unsigned long)", "Pool<Row>::alloc<8>(int)"})
    EXPECT_TRUE(allocates_for_caller(wrapper)) << wrapper;
  for (const char* own :
       {"list_dealloc", "allocate", "alloc_table", "allocate_orders", "Table::allocation(int)",
        "is_allocated", "parse_alloc_list", "Loc::al", "_", "main", "parse(std::vector<int>&)",
        "Table<std::string>::grow()", "std::vector<int> make<int>(int)",
        "(anonymous namespace)::f(std::string)", "", "("})
    EXPECT_FALSE(allocates_for_caller(own)) << own;
}

TEST(AllocatingCode, IsTheFirstBehindAllAllocators) {
  Profile profile;
  profile.dsos = {{"[unknown]", ""}};
  for (const char* name : {"malloc", "palloc", "grow", "std::vector<int>::reserve(unsigned long)", "main"}) {
    auto row = static_cast<uint32_t>(profile.functions.size());
    profile.functions.push_back({0, name, row, 1});
    profile.locations.push_back({0, row, row, row});
  }
  profile.heap_sites = {
      {1, false, {0, 1, 2, 4}}, {2, false, {1, 4}}, {3, false, {0, 3, 4}}, {4, false, {0, 3}}};
  symbol::FileResolver resolver;
  AllocatingCode code(profile, resolver);
  EXPECT_EQ(code.at(profile.heap_sites[0])->function, "grow");
  EXPECT_EQ(code.at(profile.heap_sites[1])->function, "main");
  EXPECT_EQ(code.at(profile.heap_sites[2])->function, "main");
  EXPECT_EQ(code.at(profile.heap_sites[3])->function, "std::vector<int>::reserve(unsigned long)");
}

TEST(AllocatingCode, WithoutNamesAWrapperIsWhatSeveralCall) {
  Profile profile;
  profile.dsos = {{"[unknown]", ""}};
  for (const char* name :
       {"malloc", "[git+0x289600]", "[git+0x1000]", "[git+0x2000]", "[git+0x3000]", "main"}) {
    auto row = static_cast<uint32_t>(profile.functions.size());
    profile.functions.push_back({0, name, row, 1});
    profile.locations.push_back({0, row, row, row});
  }
  symbol::FileResolver resolver;
  auto asker = [&] { return AllocatingCode(profile, resolver).at(profile.heap_sites[0])->function; };
  profile.heap_sites = {{1, false, {0, 1, 2, 5}}, {2, false, {0, 1, 3, 5}}};
  EXPECT_EQ(asker(), "[git+0x289600]");
  profile.heap_sites.push_back({3, false, {0, 1, 4, 5}});
  EXPECT_EQ(asker(), "[git+0x1000]");
  EXPECT_EQ(AllocatingCode(profile, resolver).text_at(profile.heap_sites[0]), "[git+0x1000], called by main");
  profile.functions[1].name = "strbuf_grow";
  EXPECT_EQ(asker(), "strbuf_grow");
}

}  // namespace
}  // namespace hm::profile
