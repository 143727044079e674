// SPDX-License-Identifier: MIT
#include "base/pagemap.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace hm {
namespace {

// The file has an entry of 64 bits for each page. Bit 63 is set if the page is in memory; the lowest 55 bits
// are its frame number, or 0 without the permission to read it.
constexpr uint64_t kPresent = uint64_t{1} << 63, kFrame = (uint64_t{1} << 55) - 1;

uint64_t page_bytes() {
  static const auto bytes = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

}  // namespace

Pagemap::Pagemap(pid_t pid, const std::string& proc)
    : pagemap_(::open(fmt::format("{}/{}/pagemap", proc, pid).c_str(), O_RDONLY | O_CLOEXEC)) {}

// Returns 0 if the entry cannot be read.
uint64_t Pagemap::entry_of(uint64_t address) const {
  uint64_t entry = 0;
  auto offset = static_cast<off_t>(address / page_bytes() * sizeof(entry));
  return ::pread(pagemap_.get(), &entry, sizeof(entry), offset) == sizeof(entry) ? entry : 0;
}

std::optional<uint64_t> Pagemap::physical(uint64_t address) const {
  uint64_t entry = entry_of(address);
  if ((entry & kPresent) == 0 || (entry & kFrame) == 0) return std::nullopt;
  return (entry & kFrame) * page_bytes() + address % page_bytes();
}

bool Pagemap::is_present(uint64_t address) const { return (entry_of(address) & kPresent) != 0; }

}  // namespace hm
