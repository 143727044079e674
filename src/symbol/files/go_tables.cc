// SPDX-License-Identifier: MIT
#include "symbol/files/go_tables.h"

#include <optional>

namespace hm::symbol {
namespace {

std::optional<GoTables::Version> go_version(uint32_t magic) {
  constexpr uint32_t kMagic1_16 = 0xfffffffa, kMagic1_18 = 0xfffffff0, kMagic1_20 = 0xfffffff1;
  if (magic == kMagic1_16) return GoTables::Version::k1_16;
  if (magic == kMagic1_18) return GoTables::Version::k1_18;
  if (magic == kMagic1_20) return GoTables::Version::k1_20;
  return std::nullopt;
}

}  // namespace

GoTables read_go_tables(Bytes table, uint64_t text_start) {
  ByteReader in(table);
  std::optional<GoTables::Version> version = go_version(in.u32());
  in.skip(2);  // padding
  GoTables tables;
  tables.instruction_bytes = in.u8();
  bool is_64_bit = in.u8() == sizeof(uint64_t);
  if (!version || !is_64_bit) return {};
  tables.version = *version;
  tables.functions = in.u64();
  (void)in.u64();  // number of files
  bool is_relative = *version != GoTables::Version::k1_16;
  if (is_relative) {
    uint64_t recorded = in.u64();
    tables.text_start = recorded != 0 ? recorded : text_start;
  }
  tables.names = bytes_from(table, in.u64());
  tables.units = bytes_from(table, in.u64());
  tables.files = bytes_from(table, in.u64());
  tables.values = bytes_from(table, in.u64());
  tables.entries = bytes_from(table, in.u64());
  tables.word_bytes = is_relative ? sizeof(uint32_t) : sizeof(uint64_t);
  return in.ok() ? tables : GoTables();
}

}  // namespace hm::symbol
