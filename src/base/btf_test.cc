// SPDX-License-Identifier: MIT
#include "base/btf.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace hm {
namespace {

// Builds BTF from types, each with the bytes that follow it.
class Builder {
 public:
  uint32_t name(std::string_view text) {
    auto offset = static_cast<uint32_t>(strings_.size());
    strings_ += text;
    strings_ += '\0';
    return offset;
  }
  // Returns the number of the type.
  uint32_t type(uint32_t name, uint32_t kind, uint32_t count, uint32_t size_or_type,
                bool bit_fields = false) {
    types_.u32(name);
    types_.u32(kind << 24 | count | (bit_fields ? 1u << 31 : 0));
    types_.u32(size_or_type);
    return ++count_;
  }
  void member(uint32_t name, uint32_t type, uint32_t bits) {
    types_.u32(name);
    types_.u32(type);
    types_.u32(bits);
  }
  void word(uint32_t value) { types_.u32(value); }
  std::vector<std::byte> finish() {
    ByteWriter all;
    all.u16(0xeb9f);
    all.u8(1);
    all.u8(0);
    all.u32(24);
    all.u32(0);
    all.u32(static_cast<uint32_t>(types_.size()));
    all.u32(static_cast<uint32_t>(types_.size()));
    all.u32(static_cast<uint32_t>(strings_.size()));
    all.append(types_.bytes());
    all.text(strings_);
    return std::move(all).take();
  }

 private:
  std::string strings_ = std::string(1, '\0');
  ByteWriter types_;
  uint32_t count_ = 0;
};

// struct task { int pid; union { int a; struct { long b; }; }; const inner in; unsigned flag : 1; };
std::vector<std::byte> example() {
  Builder btf;
  uint32_t number = btf.type(btf.name("int"), 1, 0, 4);
  btf.word(0);
  btf.type(btf.name("letters"), 6, 2, 4);  // an enum of two, which is skipped
  for (int i = 0; i < 4; ++i) btf.word(0);
  uint32_t inside = btf.type(0, 4, 1, 8);
  btf.member(btf.name("b"), number, 0);
  uint32_t either = btf.type(0, 5, 2, 8);
  btf.member(btf.name("a"), number, 0);
  btf.member(0, inside, 0);
  uint32_t constant = btf.type(0, 10, 0, either);
  btf.type(btf.name("task"), 4, 4, 32, true);
  btf.member(btf.name("pid"), number, 0);
  btf.member(0, constant, 64);
  btf.member(btf.name("flag"), number, 1u << 24 | 128);
  btf.member(btf.name("last"), number, 192);
  return btf.finish();
}

TEST(Btf, FindsMembersAlsoInNamelessOnes) {
  std::vector<std::byte> bytes = example();
  std::optional<Btf> btf = Btf::parse(bytes);
  ASSERT_TRUE(btf);
  EXPECT_EQ(btf->offset_of("task", "pid"), 0u);
  EXPECT_EQ(btf->offset_of("task", "a"), 8u);
  EXPECT_EQ(btf->offset_of("task", "b"), 8u);
  EXPECT_EQ(btf->offset_of("task", "last"), 24u);
  EXPECT_EQ(btf->size_of("task"), 32u);
  EXPECT_FALSE(btf->offset_of("task", "flag"));  // a bit field
  EXPECT_FALSE(btf->offset_of("task", "other"));
  EXPECT_FALSE(btf->offset_of("int", "pid"));
}

TEST(Btf, SurvivesDamage) {
  const std::vector<std::byte> whole = example();
  for (size_t length = 0; length < whole.size(); ++length) {
    std::optional<Btf> btf = Btf::parse(Bytes(whole).first(length));
    if (btf) (void)btf->offset_of("task", "b");
  }
  for (size_t at = 0; at < whole.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::vector<std::byte> damaged = whole;
      damaged[at] ^= std::byte(1 << bit);
      std::optional<Btf> btf = Btf::parse(damaged);
      if (btf) (void)btf->offset_of("task", "b");
    }
  }
  EXPECT_FALSE(Btf::parse({}));
}

TEST(Btf, ReadsTheRunningKernels) {
  std::ifstream file("/sys/kernel/btf/vmlinux", std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (text.empty()) GTEST_SKIP() << "this kernel has no /sys/kernel/btf/vmlinux";
  std::optional<Btf> btf = Btf::parse(std::as_bytes(std::span(text)));
  ASSERT_TRUE(btf);
  std::optional<uint32_t> size = btf->size_of("task_struct");
  ASSERT_TRUE(size);
  for (const char* member : {"pid", "tgid", "comm", "mm"}) {
    std::optional<uint32_t> offset = btf->offset_of("task_struct", member);
    ASSERT_TRUE(offset) << member;
    EXPECT_LT(*offset, *size) << member;
  }
  EXPECT_EQ(*btf->offset_of("task_struct", "tgid"), *btf->offset_of("task_struct", "pid") + 4);
}

}  // namespace
}  // namespace hm
