// SPDX-License-Identifier: MIT
#include "pmu/soft/guest/kernel_objects.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "pmu/soft/guest/test_kernel_memory.h"

namespace hm::soft::guest {
namespace {

constexpr uint64_t kDirect = 0xffff888000000000, kPages = 0xffffea0000000000, kCpu = 0xffff888001000000;
constexpr uint64_t kCaches = 0xffffffff82000300, kCache = 0xffff888000123000;

constexpr char kVariables[] =
    "0000000000000000 A fixed_percpu_data\n"
    "0000000000000100 A runqueues\n"
    "0000000000035000 A __per_cpu_end\n"
    "ffffffff81000000 T _text\n"
    "ffffffff82000000 D __per_cpu_offset\n"
    "ffffffff82000300 D slab_caches\n"
    "ffffffff82000400 B jiffies_lock\n"
    "ffffffff82000500 t a_function\n"
    "ffffffffc0000000 d of_a_module\t[module]\n";

// With the running kernel's types.
class Objects : public testing::Test {
 protected:
  void SetUp() override {
    std::ifstream file("/sys/kernel/btf/vmlinux", std::ios::binary);
    text_.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    if (text_.empty()) GTEST_SKIP() << "this kernel has no /sys/kernel/btf/vmlinux";
    types_ = *Btf::parse(std::as_bytes(std::span(text_)));
    memory_.put<uint64_t>(0xffffffff82000000, kCpu);
    uint64_t link = kCache + *types_.offset_of("kmem_cache", "list");
    memory_.put(kCaches, link);
    memory_.put(link, kCaches);
    memory_.put(kCache + *types_.offset_of("kmem_cache", "name"), kCache + 0x800);
    memory_.put_text(kCache + 0x800, "dentry");
  }
  void put_page(uint64_t physical, std::string_view structure, std::string_view member, uint64_t value) {
    memory_.put(page(physical) + *types_.offset_of(structure, member), value);
  }
  [[nodiscard]] uint64_t page(uint64_t physical) const {
    return kPages + (physical >> 12) * *types_.size_of("page");
  }
  [[nodiscard]] std::string name_of(uint64_t address, uint64_t physical) {
    return KernelObjects(kVariables, types_, memory_.memory()).name_of(address, physical);
  }

  std::string text_;
  Btf types_;
  FakeMemory memory_;
};

TEST_F(Objects, SlabsHaveTheNameOfTheirCache) {
  put_page(0x5000, "slab", "slab_cache", kCache);
  EXPECT_EQ(name_of(kDirect + 0x5008, 0x5008), "dentry (slab)");
  put_page(0x6000, "page", "compound_head", page(0x5000) + 1);  // a second page of the same slab
  EXPECT_EQ(name_of(kDirect + 0x6008, 0x6008), "dentry (slab)");
}

TEST_F(Objects, OtherPagesAreNamedByTheirMapping) {
  put_page(0x7000, "page", "mapping", kDirect + 0x100);
  EXPECT_EQ(name_of(kDirect + 0x7000, 0x7000), "page cache");
  put_page(0x8000, "page", "mapping", kDirect + 0x101);
  EXPECT_EQ(name_of(kDirect + 0x8000, 0x8000), "anonymous pages");
  EXPECT_EQ(name_of(kDirect + 0x9000, 0x9000), "pages");
}

TEST_F(Objects, VariablesHaveTheirNames) {
  EXPECT_EQ(name_of(0xffffffff82000410, 0), "jiffies_lock");
  EXPECT_EQ(name_of(kCpu + 0x120, 0x1000120), "runqueues (per CPU)");
  EXPECT_EQ(name_of(page(0x5000), 0), "struct page");
  EXPECT_EQ(name_of(0xffffffffc0000010, 0), "modules");
  EXPECT_EQ(name_of(0xffffc90000001000, 0), "vmalloc, stacks");
  EXPECT_EQ(name_of(0xffff800000000000, 0), "");
}

TEST_F(Objects, AKernelWithoutTypesHasPages) {
  KernelObjects objects(kVariables, Btf(), memory_.memory());
  EXPECT_EQ(objects.name_of(kDirect + 0x5008, 0x5008), "pages");
}

}  // namespace
}  // namespace hm::soft::guest
