// SPDX-License-Identifier: MIT
#include "base/elf_notes.h"

#include <elf.h>
#include <gtest/gtest.h>

namespace hm {
namespace {

void add_note(ByteWriter& out, uint32_t type, std::string_view name, std::string_view descriptor) {
  out.u32(static_cast<uint32_t>(name.size() + 1));
  out.u32(static_cast<uint32_t>(descriptor.size()));
  out.u32(type);
  out.text(name);
  out.u8(0);
  out.pad_to(4);
  out.text(descriptor);
  out.pad_to(4);
}

TEST(ElfNotes, HoldTheBuildIdAmongOthers) {
  ByteWriter notes;
  add_note(notes, NT_GNU_BUILD_ID, "Xen", "no");
  add_note(notes, 1, "GNU", "neither");
  add_note(notes, NT_GNU_BUILD_ID, "GNU", "12345");
  Bytes found = build_id_in_notes(notes.bytes());
  EXPECT_EQ(std::string_view(reinterpret_cast<const char*>(found.data()), found.size()), "12345");
}

TEST(ElfNotes, ThatAreDamagedHoldNone) {
  ByteWriter notes;
  add_note(notes, NT_GNU_BUILD_ID, "GNU", "12345");
  EXPECT_TRUE(build_id_in_notes(notes.bytes().first(notes.size() - 4)).empty());
  EXPECT_TRUE(build_id_in_notes({}).empty());
}

}  // namespace
}  // namespace hm
