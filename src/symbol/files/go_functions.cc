// SPDX-License-Identifier: MIT
#include "symbol/files/go_functions.h"

#include <algorithm>

namespace hm::symbol {
namespace {

constexpr uint32_t kMagic1_16 = 0xfffffffa, kMagic1_18 = 0xfffffff0, kMagic1_20 = 0xfffffff1;
constexpr size_t kMaxNameBytes = 4096;

struct Layout {
  uint64_t functions = 0;   // number of entries of the function table
  uint64_t text_start = 0;  // added to their addresses
  Bytes names;
  Bytes entries;          // the function table, with the descriptions of functions behind it
  size_t word_bytes = 0;  // size of each of the two numbers in an entry, and of the address in a description
};

Bytes from(Bytes table, uint64_t offset) {
  return offset <= table.size() ? table.subspan(static_cast<size_t>(offset)) : Bytes();
}

// Returns a layout without functions for an unknown format.
Layout layout_of(Bytes table, uint64_t text_start) {
  ByteReader in(table);
  uint32_t magic = in.u32();
  in.skip(3);  // padding, and the size of the smallest instruction
  bool is_64_bit = in.u8() == sizeof(uint64_t);
  bool is_relative = magic == kMagic1_18 || magic == kMagic1_20;
  if (!is_64_bit || (!is_relative && magic != kMagic1_16)) return {};
  Layout layout;
  layout.functions = in.u64();
  (void)in.u64();  // number of files
  if (is_relative) {
    uint64_t recorded = in.u64();
    layout.text_start = recorded != 0 ? recorded : text_start;
  }
  layout.names = from(table, in.u64());
  for (int i = 0; i < 3; ++i) (void)in.u64();  // offsets of compilation units, files, and tables by address
  layout.entries = from(table, in.u64());
  layout.word_bytes = is_relative ? sizeof(uint32_t) : sizeof(uint64_t);
  return in.ok() ? layout : Layout();
}

class Functions {
 public:
  explicit Functions(const Layout& layout) : layout_(layout) {}

  // The last entry is followed by the end of the code.
  std::vector<RawSymbol> read() {
    std::vector<RawSymbol> found;
    ByteReader in(layout_.entries);
    uint64_t start = number(in);
    for (uint64_t i = 0; i < layout_.functions; ++i) {
      uint64_t description = number(in), end = number(in);
      std::string_view name = name_of(description);
      if (!in.ok() || end < start || name.empty()) return {};
      if (end > start) found.push_back({layout_.text_start + start, end - start, name});
      start = end;
    }
    return found;
  }

 private:
  [[nodiscard]] uint64_t number(ByteReader& in) const {
    return layout_.word_bytes == sizeof(uint32_t) ? in.u32() : in.u64();
  }

  // Returns an empty name if the table is damaged, also if many functions share long names: the names of a
  // sound table take less space than the table.
  std::string_view name_of(uint64_t description) {
    ByteReader in(from(layout_.entries, description));
    in.skip(layout_.word_bytes);
    ByteReader names(from(layout_.names, in.u32()));
    if (!in.ok()) return {};
    std::string_view name = names.text(std::min(names.remaining(), kMaxNameBytes));
    name_bytes_ += name.size();
    return name_bytes_ <= layout_.names.size() ? name : std::string_view();
  }

  const Layout& layout_;
  uint64_t name_bytes_ = 0;
};

}  // namespace

std::vector<RawSymbol> read_go_functions(Bytes table, uint64_t text_start) {
  Layout layout = layout_of(table, text_start);
  return Functions(layout).read();
}

}  // namespace hm::symbol
