// SPDX-License-Identifier: MIT
#include "symbol/files/jitdump.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <utility>

#include "symbol/files/text_tables.h"

namespace hm::symbol {
namespace {

constexpr uint32_t kMagic = 0x4a695444;
constexpr size_t kRecordHeaderBytes = 16;
constexpr size_t kFlagsOffset = 32;       // in the file
constexpr uint64_t kProcessorsClock = 1;  // JITDUMP_FLAGS_ARCH_TIMESTAMP; else times are CLOCK_MONOTONIC

enum RecordType : uint32_t { kLoad = 0, kMove = 1, kDebugInfo = 2 };

// Reads a string and its NUL; returns an empty string if there is no NUL.
std::string_view take_name(ByteReader& in) {
  Bytes rest = in.rest();
  auto end = std::ranges::find(rest, std::byte{0});
  auto size = static_cast<size_t>(end - rest.begin());
  std::string_view name = in.text(size);
  in.skip(1);
  return name;
}

}  // namespace

bool JitDump::is_name_of_one(std::string_view path) {
  std::string_view name = path.substr(path.rfind('/') + 1);
  constexpr std::string_view kPrefix = "jit-", kSuffix = ".dump";
  if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) return false;
  name.remove_prefix(kPrefix.size());
  name.remove_suffix(std::min(kSuffix.size(), name.size()));
  return !name.empty() && name.find_first_not_of("0123456789") == std::string_view::npos;
}

Result<JitDump> JitDump::open(const std::string& path) {
  if (Status trusted = check_owner(path); !trusted) return trusted.error();
  Result<MappedFile> file = MappedFile::open(path);
  if (!file) return file.error();
  Result<JitDump> dump = over(file->bytes());
  if (!dump) return make_error(dump.error().code, "cannot read '{}': {}", path, dump.error().message);
  dump->file_ = *std::move(file);  // the mapped bytes do not move
  return dump;
}

Result<JitDump> JitDump::over(Bytes bytes) {
  ByteReader plain(bytes);
  uint32_t magic = plain.u32();
  bool swap = magic == byte_swap(kMagic);
  if (magic != kMagic && !swap) return make_error(ErrorCode::kDamaged, "it is not a jitdump file");
  ByteReader in(bytes, swap);
  in.skip(2 * sizeof(uint32_t));  // magic, version
  uint32_t header_bytes = in.u32();
  auto machine = static_cast<uint16_t>(in.u32());
  in.skip(header_bytes < in.offset() ? 0 : header_bytes - in.offset());
  if (!in.ok()) return make_error(ErrorCode::kDamaged, "its header is cut off");
  JitDump dump;
  dump.machine_ = {.elf = machine, .is_big_endian = swap};
  ByteReader flags(bytes.subspan(std::min(kFlagsOffset, bytes.size())), swap);
  dump.is_monotonic_ = header_bytes > kFlagsOffset && (flags.u64() & kProcessorsClock) == 0;
  dump.read_records(in);
  return dump;
}

void JitDump::read_records(ByteReader& in) {
  const Bytes whole = in.rest();
  while (in.remaining() >= kRecordHeaderBytes) {
    uint32_t type = in.u32();
    uint32_t size = in.u32();
    uint64_t time_ns = in.u64();
    if (size < kRecordHeaderBytes) return;
    Bytes payload = in.take(size - kRecordHeaderBytes);
    if (!in.ok()) return;
    ByteReader record(payload, in.swaps());
    if (type == kLoad) read_load(record, time_ns, whole);
    if (type == kMove) read_move(record, time_ns);
    if (type == kDebugInfo) read_lines(record);
  }
}

void JitDump::read_load(ByteReader& in, uint64_t time_ns, Bytes whole) {
  in.skip(2 * sizeof(uint32_t) + sizeof(uint64_t));  // process, thread, address of the code (repeated below)
  uint64_t start = in.u64();
  uint64_t size = in.u64();
  in.skip(sizeof(uint64_t));  // number of this code
  std::string_view name = take_name(in);
  Bytes bytes = in.take(size);
  if (!in.ok() || bytes.empty()) return;
  Code code{name, bytes, {}, static_cast<uint64_t>(bytes.data() - whole.data())};
  if (auto lines = announced_.extract(start)) code.lines = std::move(lines.mapped());
  place(start, std::move(code), time_ns);
}

void JitDump::read_move(ByteReader& in, uint64_t time_ns) {
  in.skip(2 * sizeof(uint32_t) + sizeof(uint64_t));
  uint64_t before = in.u64();
  uint64_t after = in.u64();
  if (!in.ok()) return;
  auto moved = codes_.extract(before);
  if (!moved) return;
  is_changed_ = true;
  shift(moved.mapped(), after - before);
  place(after, std::move(moved.mapped()), time_ns);
}

void JitDump::shift(Code& code, uint64_t by) {
  for (Line& line : code.lines) line.address += by;
}

void JitDump::read_lines(ByteReader& in) {
  uint64_t start = in.u64();
  uint64_t count = in.u64();
  std::vector<Line> lines;
  std::string_view file;
  for (; count > 0 && in.remaining() > 0; --count) {
    Line line{.address = in.u64(), .line = in.u32(), .file = {}};
    in.skip(sizeof(uint32_t));  // discriminator
    std::string_view name = take_name(in);
    if (!in.ok()) break;
    if (name != "\xff") file = name;  // "\xff" repeats the previous name
    line.file = file;
    lines.push_back(line);
  }
  std::ranges::stable_sort(lines, {}, &Line::address);
  if (!lines.empty()) announced_.insert_or_assign(start, std::move(lines));
}

// Moves replaced code to a separate address range.
void JitDump::set_aside(ByStart::node_type replaced) {
  uint64_t address = kReplaced + replaced.mapped().file_offset;
  is_changed_ = true;
  shift(replaced.mapped(), address - replaced.key());
  replaced.key() = address;
  codes_.insert(std::move(replaced));
}

void JitDump::place(uint64_t start, Code code, uint64_t time_ns) {
  if (start >= kReplaced || code.bytes.size() > kReplaced - start) return;  // no process uses these addresses
  loads_.push_back({time_ns, start, code.bytes.size(), code.file_offset});
  uint64_t end = start + code.bytes.size();
  auto next = codes_.lower_bound(start);
  if (next != codes_.begin()) {
    auto before = std::prev(next);
    if (before->second.bytes.size() > start - before->first) next = before;
  }
  while (next != codes_.end() && next->first < end) {
    auto replaced = next++;
    set_aside(codes_.extract(replaced));
  }
  codes_.emplace(start, std::move(code));
}

JitDump::ByStart::const_iterator JitDump::find(uint64_t address) const {
  auto after = codes_.upper_bound(address);
  if (after == codes_.begin()) return codes_.end();
  auto found = std::prev(after);
  return address - found->first < found->second.bytes.size() ? found : codes_.end();
}

SymbolTable JitDump::symbols() const {
  std::vector<RawSymbol> raw;
  for (const auto& [start, code] : codes_) raw.push_back({start, code.bytes.size(), code.name, false, true});
  return SymbolTable(std::move(raw));
}

CodeLoads JitDump::loads() const {
  CodeLoads found{{}, is_monotonic_};
  if (!is_changed_) return found;
  std::unordered_map<uint64_t, uint64_t> addresses;  // by offset in the file
  for (const auto& [start, code] : codes_) addresses[code.file_offset] = start;
  for (const Load& load : loads_) {
    // Code may have been moved to addresses that no process uses.
    if (auto address = addresses.find(load.file_offset); address != addresses.end())
      found.loads.push_back({load.time_ns, load.start, load.size, address->second});
  }
  return found;
}

Bytes JitDump::code_at(uint64_t address, uint64_t size) const {
  auto found = find(address);
  if (found == codes_.end()) return {};
  Bytes bytes = found->second.bytes.subspan(address - found->first);
  return bytes.first(std::min<uint64_t>(size, bytes.size()));
}

// Returns the last line that begins at or before the address.
SourceLine JitDump::line_at(uint64_t address) const {
  auto found = find(address);
  if (found == codes_.end()) return {};
  const std::vector<Line>& lines = found->second.lines;
  auto after = std::ranges::upper_bound(lines, address, {}, &Line::address);
  if (after == lines.begin()) return {};
  const Line& line = *std::prev(after);
  return {std::string(line.file), line.line};
}

}  // namespace hm::symbol
