// SPDX-License-Identifier: MIT
// Formats: struct _func, pcvalue() and inlineUnwinder in Go's src/runtime/runtime2.go, symtab.go and
// symtabinl.go.
#include "symbol/files/go_lines.h"

#include <string_view>

#include "symbol/files/elf_module.h"
#include "symbol/files/elf_sections.h"
#include "symbol/files/go_section.h"

namespace hm::symbol {
namespace {

constexpr size_t kMaxGoNameBytes = 4096;
constexpr size_t kMaxGoFileBytes = 4096;
constexpr size_t kMaxInlineDepth = 64;
constexpr size_t kMaxValueSteps = size_t{1} << 18;  // of one function's table; real ones have fewer
constexpr uint32_t kNone = UINT32_MAX;

// Reads an unsigned LEB128 number of at most 32 bits; 0 if it is longer or cut off.
uint32_t read_varint(ByteReader& in) {
  constexpr unsigned kBits = 7, kMaxShift = 28;
  uint32_t value = 0;
  for (unsigned shift = 0; shift <= kMaxShift; shift += kBits) {
    uint8_t byte = in.u8();
    value |= static_cast<uint32_t>(byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) return value;
  }
  return 0;
}

// Differences are encoded with the sign in bit 0.
uint32_t signed_difference(uint32_t encoded) { return (encoded & 1) != 0 ? ~(encoded >> 1) : encoded >> 1; }

}  // namespace

GoLines::GoLines(const ElfModule& module) {
  GoSection go = find_go_section(module.elf());
  tables_ = read_go_tables(go.table, go.text_start);
  if (tables_.functions == 0 || tables_.version == GoTables::Version::k1_16) return;
  for_each_named_section(module.elf(), [&](std::string_view, Elf_Scn* section, const GElf_Shdr& header) {
    bool is_data = (header.sh_flags & SHF_WRITE) != 0 && header.sh_type == SHT_PROGBITS;
    if (!is_data || !trees_.empty()) return;
    trees_ = find_go_inline_trees(bytes_of(elf_rawdata(section, nullptr)), go.address, tables_.version,
                                  [&](uint64_t address) { return module.bytes_at(address, UINT64_MAX); });
  });
}

uint64_t GoLines::start_of(uint64_t index) const {
  ByteReader in(bytes_from(tables_.entries, index * 2 * tables_.word_bytes));
  return tables_.text_start + (tables_.word_bytes == sizeof(uint32_t) ? in.u32() : in.u64());
}

// Binary search; the entries are sorted, and the last one is the end of the code.
std::optional<uint64_t> GoLines::index_of(uint64_t address) const {
  if (tables_.functions == 0 || tables_.functions > tables_.entries.size() / (2 * tables_.word_bytes))
    return std::nullopt;
  uint64_t first = 0, last = tables_.functions;
  while (first + 1 < last) {
    uint64_t middle = first + (last - first) / 2;
    (start_of(middle) <= address ? first : last) = middle;
  }
  bool is_inside = start_of(first) <= address && address < start_of(first + 1);
  return is_inside ? std::optional(first) : std::nullopt;
}

std::optional<GoLines::Function> GoLines::function_at(uint64_t address) const {
  std::optional<uint64_t> index = index_of(address);
  if (!index) return std::nullopt;
  Function function{.start = start_of(*index), .end = start_of(*index + 1)};
  ByteReader entry(bytes_from(tables_.entries, *index * 2 * tables_.word_bytes + tables_.word_bytes));
  uint64_t description = tables_.word_bytes == sizeof(uint32_t) ? entry.u32() : entry.u64();
  ByteReader in(bytes_from(tables_.entries, description));
  in.skip(tables_.word_bytes);
  function.name = name_at(in.u32());
  in.skip(3 * sizeof(uint32_t));  // arguments, deferred return, table of stack sizes
  function.files = in.u32();
  function.lines = in.u32();
  read_tables(in, function);
  return in.ok() && !function.name.empty() ? std::optional(function) : std::nullopt;
}

// Reads the end of a description: other tables of values, and data of the function.
void GoLines::read_tables(ByteReader& in, Function& function) const {
  constexpr uint32_t kInlinedTable = 2, kInlineTree = 3;  // PCDATA_InlTreeIndex, FUNCDATA_InlTree
  constexpr uint32_t kMaxTables = 64;
  uint32_t tables = in.u32();
  function.unit = in.u32();
  if (tables_.version == GoTables::Version::k1_20) in.skip(sizeof(uint32_t));  // first line
  in.skip(3);                                                                  // kind, flags, padding
  uint8_t data = in.u8();
  if (tables > kMaxTables || tables_.version == GoTables::Version::k1_16) return;
  for (uint32_t i = 0; i < tables; ++i) {
    uint32_t table = in.u32();
    if (i == kInlinedTable) function.inlined = table;
  }
  for (uint32_t i = 0; i < data; ++i) {
    uint32_t offset = in.u32();
    if (i == kInlineTree && offset != kNone) function.tree = offset;
  }
}

std::string_view GoLines::name_at(uint32_t offset) const {
  ByteReader in(bytes_from(tables_.names, offset));
  return in.text(std::min(in.remaining(), kMaxGoNameBytes));
}

// A table is a list of pairs: the difference to the value before, and the size of the code that has the
// value.
std::optional<int32_t> GoLines::value_at(const Function& function, uint32_t table, uint64_t address) const {
  if (table == 0) return std::nullopt;
  ByteReader in(bytes_from(tables_.values, table));
  uint64_t end = function.start;
  uint32_t value = ~uint32_t{0};
  for (size_t step = 0; step < kMaxValueSteps && end <= address; ++step) {
    uint32_t difference = read_varint(in);
    if (difference == 0 && step != 0) return std::nullopt;
    value += signed_difference(difference);
    uint64_t size = uint64_t{read_varint(in)} * tables_.instruction_bytes;
    if (!in.ok() || size == 0) return std::nullopt;
    end += size;
  }
  if (end <= address) return std::nullopt;
  return static_cast<int32_t>(value);
}

Frame GoLines::frame_at(const Function& function, uint64_t address) const {
  Frame frame;
  frame.function = function.name;
  std::optional<int32_t> line = value_at(function, function.lines, address);
  std::optional<int32_t> file = value_at(function, function.files, address);
  if (!line || *line <= 0 || !file || *file < 0) return frame;
  uint64_t number = uint64_t{function.unit} + static_cast<uint32_t>(*file);
  ByteReader unit(bytes_from(tables_.units, number * sizeof(uint32_t)));
  uint32_t offset = unit.u32();
  ByteReader name(bytes_from(tables_.files, offset));
  if (!unit.ok() || offset == kNone) return frame;
  frame.file = name.text(std::min(name.remaining(), kMaxGoFileBytes));
  if (!frame.file.empty()) frame.line = static_cast<uint32_t>(*line);
  return frame;
}

std::optional<GoLines::Call> GoLines::inlined_at(const Function& function, uint64_t address) const {
  if (!function.tree || trees_.empty()) return std::nullopt;
  std::optional<int32_t> index = value_at(function, function.inlined, address);
  if (!index || *index < 0) return std::nullopt;
  bool is_long = tables_.version == GoTables::Version::k1_18;
  const size_t call_bytes = is_long ? 5 * sizeof(uint32_t) : 4 * sizeof(uint32_t);
  ByteReader in(bytes_from(trees_, *function.tree + static_cast<uint64_t>(*index) * call_bytes));
  in.skip(sizeof(uint32_t));                   // parent and kind
  if (is_long) in.skip(2 * sizeof(uint32_t));  // file and line of the call
  Call call{.name = name_at(in.u32()), .caller = function.start};
  uint32_t caller = in.u32();
  call.caller += caller;
  bool is_good = in.ok() && !call.name.empty() && caller < function.end - function.start;
  return is_good ? std::optional(call) : std::nullopt;
}

// Each inlined call is at an address of its caller, which the tables describe like any other address.
std::vector<Frame> GoLines::at(uint64_t address) const {
  std::optional<Function> function = function_at(address);
  if (!function) return {};
  std::vector<Frame> frames;
  while (frames.size() < kMaxInlineDepth) {
    frames.push_back(frame_at(*function, address));
    std::optional<Call> call = inlined_at(*function, address);
    if (!call) break;
    frames.back().function = call->name;
    frames.back().inlined = true;
    address = call->caller;
  }
  frames.back().inlined = false;
  return frames;
}

}  // namespace hm::symbol
