// SPDX-License-Identifier: MIT
#include "symbol/files/text_tables.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <memory>
#include <optional>
#include <utility>

#include "base/hex.h"
#include "base/mapped_file.h"
#include "base/process_files.h"
#include "base/take_until.h"
#include "base/text_file.h"
#include "symbol/files/kernel_text.h"

namespace hm::symbol {
namespace {

constexpr std::string_view kMapPrefix = "/tmp/perf-", kMapEnding = ".map";
constexpr size_t kMaxMapBytes = size_t{1} << 28, kMaxKallsymsBytes = size_t{1} << 28;

std::string map_path(pid_t pid) { return fmt::format("{}{}{}", kMapPrefix, pid, kMapEnding); }

// Returns 0 if the path is not that of a process's map.
pid_t pid_of_map(std::string_view path) {
  if (!is_perf_map(path)) return 0;
  path.remove_prefix(kMapPrefix.size());
  path.remove_suffix(kMapEnding.size());
  pid_t pid = 0;
  auto [end, error] = std::from_chars(path.data(), path.data() + path.size(), pid);
  return error == std::errc() && end == path.data() + path.size() ? pid : 0;
}

// The user of a process may name the code of this process.
Status check_map_owner(const std::string& path, pid_t pid) {
  struct stat status {};
  bool is_of_process = pid != 0 && ::stat(path.c_str(), &status) == 0 && belongs_to(pid, status.st_uid);
  if (is_of_process) return {};
  return check_owner(path);
}

Result<uint64_t> check_reference(std::optional<uint64_t> address, std::string_view symbol) {
  if (!address) return make_error(ErrorCode::kNotFound, "'{}' has no symbol '{}'", kKallsymsPath, symbol);
  if (*address == 0) {
    return make_error(ErrorCode::kPermission,
                      "'{}' hides the kernel's addresses; run as root, or set kernel.kptr_restrict to 0",
                      kKallsymsPath);
  }
  return *address;
}

}  // namespace

std::optional<RawSymbol> parse_kallsyms_line(std::string_view line) {
  std::optional<uint64_t> address = hex_number(take_until(line, ' '));
  std::string_view type = take_until(line, ' ');
  bool of_a_module = line.find('\t') != std::string_view::npos;
  bool code = type == "t" || type == "T" || type == "w" || type == "W";
  if (!address || !code || of_a_module || line.empty()) return std::nullopt;
  return RawSymbol{*address, 0, line, type == "w" || type == "W", type == "T"};
}

Result<SymbolTable> parse_kallsyms(std::string_view text, std::string_view reference) {
  std::vector<RawSymbol> raw;
  std::optional<uint64_t> base;
  while (!text.empty()) {
    std::optional<RawSymbol> symbol = parse_kallsyms_line(take_until(text, '\n'));
    if (!symbol) continue;
    if (symbol->name == reference) base = symbol->start;
    raw.push_back(*symbol);
  }
  if (Result<uint64_t> found = check_reference(base, reference); !found) return found.error();
  // Symbols below the reference (per-CPU offsets) are not code.
  std::erase_if(raw, [&](const RawSymbol& symbol) { return symbol.start < *base; });
  for (RawSymbol& symbol : raw) symbol.start -= *base;
  return SymbolTable(std::move(raw));
}

Result<uint64_t> kallsyms_address(std::string_view symbol) {
  std::shared_ptr<const std::string> text = kernel_text(kKallsymsPath);
  if (text == nullptr) return make_error(ErrorCode::kNotFound, "cannot read '{}'", kKallsymsPath);
  std::optional<uint64_t> address;
  for (std::string_view rest = *text; !rest.empty() && !address;) {
    std::optional<RawSymbol> found = parse_kallsyms_line(take_until(rest, '\n'));
    if (found && found->name == symbol) address = found->start;
  }
  return check_reference(address, symbol);
}

SymbolTable parse_perf_map(std::string_view text) {
  std::vector<RawSymbol> raw;
  while (!text.empty()) {
    std::string_view line = take_until(text, '\n');
    std::optional<uint64_t> start = hex_number(take_until(line, ' '));
    std::optional<uint64_t> size = hex_number(take_until(line, ' '));
    if (start && size && !line.empty()) raw.push_back({*start, *size, line, false, true});
  }
  return SymbolTable(std::move(raw));
}

Status check_owner(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || status.st_uid == 0 || status.st_uid == ::geteuid()) return {};
  return make_error(ErrorCode::kPermission, "'{}' belongs to another user, so its symbols are not used",
                    path);
}

UniqueFd open_map_inside(pid_t pid) {
  if (pid == 0) return {};
  pid_t inside = number_in_namespace(pid);
  if (inside == pid && !has_own_files(pid)) return {};
  UniqueFd file = open_in_root(pid, map_path(inside));
  struct stat status {};
  bool is_trusted = file.valid() && ::fstat(file.get(), &status) == 0 &&
                    (status.st_uid == 0 || belongs_to(pid, status.st_uid));
  return is_trusted ? std::move(file) : UniqueFd();
}

bool is_perf_map(std::string_view path) { return path.starts_with(kMapPrefix) && path.ends_with(kMapEnding); }

Result<SymbolTable> read_perf_map_file(const std::string& path) {
  Result<MappedFile> file = MappedFile::open(path);
  if (!file.ok()) return file.error();
  Bytes bytes = file->bytes();
  return parse_perf_map({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

Result<UniqueFd> open_perf_map(const std::string& path) {
  pid_t pid = pid_of_map(path);
  UniqueFd inside = open_map_inside(pid);
  if (UniqueFd copy = inside.valid() ? copy_to_memory(inside.get(), kMaxMapBytes) : UniqueFd(); copy.valid())
    return copy;
  if (Status trusted = check_map_owner(path, pid); !trusted) return trusted.error();
  Result<UniqueFd> file = open_regular_file(path);
  if (!file) return file.error();
  UniqueFd copy = copy_to_memory(file->get(), kMaxMapBytes);
  if (!copy.valid()) return make_error(ErrorCode::kIo, "cannot read '{}'", path);
  return copy;
}

Result<SymbolTable> read_kallsyms_file(const std::string& path, std::string_view reference) {
  if (path == kKallsymsPath) {
    std::shared_ptr<const std::string> running = kernel_text(path);
    if (running != nullptr) return parse_kallsyms(*running, reference);
  }
  std::optional<std::string> text = read_text(path, kMaxKallsymsBytes);
  if (!text) return make_error(ErrorCode::kNotFound, "cannot read '{}'", path);
  return parse_kallsyms(*text, reference);
}

}  // namespace hm::symbol
