// SPDX-License-Identifier: MIT
#include "symbol/files/go_functions.h"

#include <algorithm>

#include "symbol/files/go_tables.h"

namespace hm::symbol {
namespace {

constexpr size_t kMaxNameBytes = 4096;

class Functions {
 public:
  explicit Functions(const GoTables& layout) : layout_(layout) {}

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
    ByteReader in(bytes_from(layout_.entries, description));
    in.skip(layout_.word_bytes);
    ByteReader names(bytes_from(layout_.names, in.u32()));
    if (!in.ok()) return {};
    std::string_view name = names.text(std::min(names.remaining(), kMaxNameBytes));
    name_bytes_ += name.size();
    return name_bytes_ <= layout_.names.size() ? name : std::string_view();
  }

  const GoTables& layout_;
  uint64_t name_bytes_ = 0;
};

}  // namespace

std::vector<RawSymbol> read_go_functions(Bytes table, uint64_t text_start) {
  GoTables layout = read_go_tables(table, text_start);
  return Functions(layout).read();
}

}  // namespace hm::symbol
