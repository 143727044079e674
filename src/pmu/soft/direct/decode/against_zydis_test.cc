// SPDX-License-Identifier: MIT
// Compares decode() with Zydis, field by field: on the code of large programs, and on random bytes.
#include <fcntl.h>
#include <gelf.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "pmu/soft/direct/decode/instruction.h"
#include "pmu/soft/direct/decode/oracle/oracle.h"

namespace hm::soft::direct {
namespace {

constexpr uint64_t kFarAddress = 0x7f1234567000;

using Code = std::vector<uint8_t>;

std::string hex(std::span<const uint8_t> code) {
  std::string text;
  for (uint8_t byte : code) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

// Names the fields that differ, with their values.
class Differences {
 public:
  template <class Value>
  void add(const std::string& field, Value ours, Value theirs) {
    if (ours == theirs) return;
    text_ += field + ": " + std::to_string(static_cast<int64_t>(ours)) + ", Zydis " +
             std::to_string(static_cast<int64_t>(theirs)) + "; ";
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void compare_parts(const Instruction& ours, const Instruction& theirs, Differences& out) {
  out.add("length", ours.length, theirs.length);
  out.add("prefix_offset", ours.prefix_offset, theirs.prefix_offset);
  out.add("opcode_offset", ours.opcode_offset, theirs.opcode_offset);
  out.add("modrm_offset", ours.modrm_offset, theirs.modrm_offset);
  out.add("sib_offset", ours.sib_offset, theirs.sib_offset);
  out.add("displacement_offset", ours.displacement_offset, theirs.displacement_offset);
  out.add("displacement_bytes", ours.displacement_bytes, theirs.displacement_bytes);
  out.add("immediate_offset", ours.immediate_offset, theirs.immediate_offset);
  out.add("immediate_bytes", ours.immediate_bytes, theirs.immediate_bytes);
  out.add("immediate", ours.immediate, theirs.immediate);
  out.add("encoding", ours.encoding, theirs.encoding);
  out.add("map", ours.map, theirs.map);
  out.add("opcode", ours.opcode, theirs.opcode);
  out.add("modrm", ours.modrm, theirs.modrm);
  out.add("rex", ours.rex, theirs.rex);
}

void compare_prefixes(const Instruction& ours, const Instruction& theirs, Differences& out) {
  out.add<bool>("66", ours.prefix_66, theirs.prefix_66);
  out.add<bool>("67", ours.prefix_67, theirs.prefix_67);
  out.add<bool>("f2", ours.prefix_f2, theirs.prefix_f2);
  out.add<bool>("f3", ours.prefix_f3, theirs.prefix_f3);
  out.add<bool>("lock", ours.prefix_lock, theirs.prefix_lock);
  out.add("segment", ours.segment, theirs.segment);
}

void compare_effects(const Instruction& ours, const Instruction& theirs, Differences& out) {
  out.add("flow", ours.flow, theirs.flow);
  out.add("branch", ours.kind.branch, theirs.kind.branch);
  out.add("simd", ours.kind.simd, theirs.kind.simd);
  out.add<bool>("only_moves", ours.kind.only_moves, theirs.kind.only_moves);
  out.add("operation", ours.operation, theirs.operation);
  out.add<bool>("gives_zero", ours.gives_zero, theirs.gives_zero);
  out.add("vectors_read", ours.vectors_read, theirs.vectors_read);
  out.add("vectors_written", ours.vectors_written, theirs.vectors_written);
  out.add("target", ours.target, theirs.target);
  out.add("condition", ours.condition, theirs.condition);
  out.add("repeat", ours.repeat, theirs.repeat);
  out.add("string_operation", ours.string_operation, theirs.string_operation);
  out.add("flags_read", ours.flags_read, theirs.flags_read);
  out.add("flags_written", ours.flags_written, theirs.flags_written);
  out.add("registers_read", ours.registers_read, theirs.registers_read);
  out.add("registers_written", ours.registers_written, theirs.registers_written);
  out.add("registers_fixed", ours.registers_fixed, theirs.registers_fixed);
  out.add<bool>("names_high_byte", ours.names_high_byte, theirs.names_high_byte);
  out.add<bool>("uses_vector_state", ours.uses_vector_state, theirs.uses_vector_state);
  for (unsigned i = 0; i < kFields; ++i) {
    std::string field = "field " + std::to_string(i) + " ";
    out.add(field + "number", ours.fields[i].number, theirs.fields[i].number);
    out.add(field + "read", ours.fields[i].read, theirs.fields[i].read);
    out.add(field + "written", ours.fields[i].written, theirs.fields[i].written);
  }
}

void compare_access(const std::string& which, const Access& ours, const Access& theirs, Differences& out) {
  out.add(which + "kind", ours.kind, theirs.kind);
  out.add(which + "displacement", ours.displacement, theirs.displacement);
  out.add(which + "bytes", ours.bytes, theirs.bytes);
  out.add(which + "count", ours.count, theirs.count);
  out.add(which + "base", ours.base, theirs.base);
  out.add(which + "index", ours.index, theirs.index);
  out.add(which + "scale", ours.scale, theirs.scale);
  out.add(which + "index_bytes", ours.index_bytes, theirs.index_bytes);
  out.add(which + "element_bytes", ours.element_bytes, theirs.element_bytes);
  out.add(which + "segment", ours.segment, theirs.segment);
  out.add<bool>(which + "loads", ours.loads, theirs.loads);
  out.add<bool>(which + "stores", ours.stores, theirs.stores);
  out.add<bool>(which + "locked", ours.locked, theirs.locked);
  out.add<bool>(which + "masked", ours.masked, theirs.masked);
  out.add<bool>(which + "broadcast", ours.broadcast, theirs.broadcast);
  out.add<bool>(which + "rip_relative", ours.rip_relative, theirs.rip_relative);
  out.add<bool>(which + "address32", ours.address32, theirs.address32);
}

std::string differences(const Instruction& ours, const Instruction& theirs) {
  Differences out;
  compare_parts(ours, theirs, out);
  compare_prefixes(ours, theirs, out);
  compare_effects(ours, theirs, out);
  out.add("access_count", ours.access_count, theirs.access_count);
  for (unsigned i = 0; i < std::min(ours.access_count, theirs.access_count); ++i)
    compare_access("access " + std::to_string(i) + " ", ours.accesses[i], theirs.accesses[i], out);
  return out.text();
}

// Compares many instructions, and reports the first few differences.
class Comparison {
 public:
  // Returns the instruction's length, or 0.
  unsigned compare(std::span<const uint8_t> code, uint64_t address) {
    auto theirs = describe(decoder_, code, address);
    Instruction ours;
    bool valid = decode(code.data(), code.size(), address, ours);
    ++compared_;
    if (valid) ++valid_;
    if (valid != theirs.has_value()) {
      report(code, valid ? "valid, not to Zydis" : "not valid, but to Zydis");
    } else if (valid) {
      std::string text = differences(ours, theirs->instruction);
      if (!text.empty()) report(code.first(theirs->instruction.length), text);
    }
    return theirs ? theirs->instruction.length : 0;
  }
  [[nodiscard]] uint64_t compared() const { return compared_; }
  [[nodiscard]] uint64_t valid() const { return valid_; }
  [[nodiscard]] uint64_t different() const { return different_; }

 private:
  void report(std::span<const uint8_t> code, const std::string& what) {
    constexpr uint64_t kTold = 20;
    if (++different_ <= kTold) ADD_FAILURE() << hex(code) << ": " << what;
  }

  ZydisDecoder decoder_ = oracle_decoder();
  uint64_t compared_ = 0;
  uint64_t valid_ = 0;
  uint64_t different_ = 0;
};

// Returns the bytes of the section .text; nothing if there is none.
Code text_section(const std::filesystem::path& path) {
  elf_version(EV_CURRENT);
  int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  Elf* elf = elf_begin(file, ELF_C_READ, nullptr);
  Code code;
  size_t names = 0;
  elf_getshdrstrndx(elf, &names);
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    gelf_getshdr(section, &header);
    if (std::string(elf_strptr(elf, names, header.sh_name)) != ".text") continue;
    Elf_Data* data = elf_rawdata(section, nullptr);
    auto* bytes = static_cast<const uint8_t*>(data->d_buf);
    code.assign(bytes, bytes + data->d_size);
  }
  elf_end(elf);
  close(file);
  return code;
}

class OnProgram : public testing::TestWithParam<const char*> {};

TEST_P(OnProgram, EveryInstructionIsAsZydisSays) {
  Code code = text_section(GetParam());
  if (code.empty()) GTEST_SKIP() << "there is no " << GetParam() << " here to decode";
  Comparison comparison;
  for (size_t at = 0; at < code.size();) {
    std::span<const uint8_t> rest = std::span(code).subspan(at);
    unsigned length = comparison.compare(rest.first(std::min<size_t>(rest.size(), 20)), kFarAddress + at);
    at += std::max(length, 1u);
  }
  EXPECT_EQ(comparison.different(), 0);
  EXPECT_GT(comparison.valid(), comparison.compared() / 2);
}

INSTANTIATE_TEST_SUITE_P(AgainstZydis, OnProgram,
                         testing::Values("/proc/self/exe", "/usr/lib/x86_64-linux-gnu/libc.so.6",
                                         "/usr/lib/x86_64-linux-gnu/libcrypto.so.3",
                                         "/usr/lib/x86_64-linux-gnu/libm.so.6", "/usr/bin/python3",
                                         "/usr/bin/perl"));

class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  uint64_t below(uint64_t end) { return engine_() % end; }
  uint8_t byte() { return static_cast<uint8_t>(engine_()); }
  bool one_in(uint64_t many) { return below(many) == 0; }

 private:
  std::mt19937_64 engine_;
};

void add_legacy_prefixes(Random& random, Code& code) {
  constexpr uint8_t kPrefixes[] = {0x66, 0xf3, 0xf2, 0x67, 0xf0, 0x64, 0x65, 0x2e, 0x36, 0x3e, 0x26};
  for (uint64_t count = random.below(4); count > 0; --count)
    code.push_back(kPrefixes[random.below(std::size(kPrefixes))]);
}

void add_random(Random& random, Code& code, size_t size) {
  while (code.size() < size) code.push_back(random.byte());
}

void add_legacy_opcode(Random& random, Code& code) {
  if (random.one_in(2)) code.push_back(static_cast<uint8_t>(0x40 + random.below(16)));
  uint64_t map = random.below(4);
  if (map >= 1) code.push_back(0x0f);
  if (map >= 2) code.push_back(map == 2 ? 0x38 : 0x3a);
}

// Makes vvvv mostly unused: all bits set.
uint8_t with_vvvv(Random& random, uint8_t byte) { return random.one_in(2) ? byte : byte | 0x78; }

void add_vex(Random& random, Code& code) {
  bool two = random.one_in(3);
  code.push_back(two ? 0xc5 : 0xc4);
  if (!two) code.push_back(static_cast<uint8_t>(random.below(8) << 5 | (1 + random.below(3))));
  code.push_back(with_vvvv(random, random.byte()));
}

void add_evex(Random& random, Code& code) {
  constexpr uint8_t kMaps[] = {1, 2, 3, 5, 6};
  code.push_back(0x62);
  code.push_back(static_cast<uint8_t>((random.byte() & 0xf0) | kMaps[random.below(5)]));
  code.push_back(with_vvvv(random, random.byte() | 4));
  uint8_t last = random.byte();
  code.push_back(random.one_in(2) ? last : (last & 0x78) | 8);  // mostly no mask register, and V' unused
}

constexpr uint64_t kStrings = 400'000;
constexpr size_t kBytes = 20;

// Compares byte strings that begin with the bytes from `begin(random, code)`, followed by random bytes.
// Returns the number of valid ones.
template <typename Begin>
uint64_t compare_strings(uint64_t seed, Begin&& begin) {
  Random random(seed);
  Comparison comparison;
  for (uint64_t i = 0; i < kStrings; ++i) {
    Code code;
    begin(random, code);
    add_random(random, code, kBytes);
    comparison.compare(code, kFarAddress);
  }
  EXPECT_EQ(comparison.different(), 0);
  return comparison.valid();
}

TEST(AgainstZydis, RandomBytesAreAsZydisSays) {
  compare_strings(1, [](Random&, Code&) {});
}

TEST(AgainstZydis, LegacyOpcodesUnderAnyPrefixesAreAsZydisSays) {
  uint64_t valid = compare_strings(2, [](Random& random, Code& code) {
    add_legacy_prefixes(random, code);
    add_legacy_opcode(random, code);
  });
  EXPECT_GT(valid, kStrings / 4);
}

TEST(AgainstZydis, VexIsAsZydisSays) {
  uint64_t valid = compare_strings(3, [](Random& random, Code& code) {
    if (random.one_in(8)) add_legacy_prefixes(random, code);
    add_vex(random, code);
  });
  EXPECT_GT(valid, kStrings / 50);
}

TEST(AgainstZydis, EvexIsAsZydisSays) {
  uint64_t valid = compare_strings(4, [](Random& random, Code& code) {
    if (random.one_in(8)) add_legacy_prefixes(random, code);
    add_evex(random, code);
  });
  EXPECT_GT(valid, kStrings / 100);
}

TEST(AgainstZydis, CutCodeIsAsZydisSays) {
  Random random(5);
  Comparison comparison;
  for (uint64_t i = 0; i < kStrings; ++i) {
    Code code;
    add_legacy_prefixes(random, code);
    if (random.one_in(4)) add_vex(random, code);
    if (random.one_in(4)) add_evex(random, code);
    add_legacy_opcode(random, code);
    add_random(random, code, kBytes);
    code.resize(random.below(12));
    code.shrink_to_fit();  // a sanitizer then detects a read past the end
    comparison.compare(code, kFarAddress);
  }
  EXPECT_EQ(comparison.different(), 0);
}

}  // namespace
}  // namespace hm::soft::direct
