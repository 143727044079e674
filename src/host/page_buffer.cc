// SPDX-License-Identifier: MIT
#include "host/page_buffer.h"

#include <sys/mman.h>

#include <cerrno>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

namespace hm::host {
namespace {

void* map_anonymous(uint64_t bytes, int more_flags) {
  return ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | more_flags, -1, 0);
}

uint64_t round_up(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }

// Parses a line "7f0000000000-7f0000200000 rw-p ...".
bool reads_range(const std::string& line, uint64_t& begin, uint64_t& end) {
  char dash = 0;
  std::istringstream text(line);
  return static_cast<bool>(text >> std::hex >> begin >> dash >> end) && dash == '-';
}

struct Residence {
  uint64_t resident_kib = 0;
  uint64_t huge_kib = 0;
};

// Adds a line such as "AnonHugePages:      2048 kB". Pages of the pool are only counted in their own field.
void add_field(const std::string& line, Residence& sum) {
  std::string name;
  uint64_t kib = 0;
  if (!(std::istringstream(line) >> name >> kib)) return;
  bool pool = name == "Private_Hugetlb:";
  if (name == "Rss:" || pool) sum.resident_kib += kib;
  if (name == "AnonHugePages:" || pool) sum.huge_kib += kib;
}

}  // namespace

PageBuffer::PageBuffer(void* mapping, uint64_t mapped_bytes, uint64_t bytes)
    : mapping_(mapping), mapped_bytes_(mapped_bytes), size_(bytes) {
  auto address = reinterpret_cast<uintptr_t>(mapping);
  begin_ = static_cast<std::byte*>(mapping) + (round_up(address, kHugePageBytes) - address);
}

PageBuffer::PageBuffer(PageBuffer&& other) noexcept
    : mapping_(std::exchange(other.mapping_, nullptr)),
      mapped_bytes_(std::exchange(other.mapped_bytes_, 0)),
      begin_(std::exchange(other.begin_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

PageBuffer& PageBuffer::operator=(PageBuffer&& other) noexcept {
  std::swap(mapping_, other.mapping_);
  std::swap(mapped_bytes_, other.mapped_bytes_);
  std::swap(begin_, other.begin_);
  std::swap(size_, other.size_);
  return *this;
}

PageBuffer::~PageBuffer() {
  if (mapping_ != nullptr) ::munmap(mapping_, mapped_bytes_);
}

Result<PageBuffer> PageBuffer::map(uint64_t bytes, PageKind kind) {
  uint64_t whole = round_up(bytes, kHugePageBytes);
  if (kind == PageKind::kHuge) {
    void* pool = map_anonymous(whole, MAP_HUGETLB);
    if (pool != MAP_FAILED) return PageBuffer(pool, whole, bytes);
  }
  uint64_t room = whole + kHugePageBytes;  // room for aligning it to a huge page
  void* mapping = map_anonymous(room, MAP_NORESERVE);
  if (mapping == MAP_FAILED)
    return make_error(ErrorCode::kIo, "cannot map {} bytes of memory: {}; choose a smaller --max-size", room,
                      errno_text(errno));
  // A kernel without transparent huge pages rejects both and only has small pages; huge_share() reports that.
  (void)::madvise(mapping, room, kind == PageKind::kHuge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  return PageBuffer(mapping, room, bytes);
}

std::optional<double> PageBuffer::huge_share() const {
  std::ifstream smaps("/proc/self/smaps");
  auto first = reinterpret_cast<uintptr_t>(begin_);
  bool inside = false;
  Residence sum;
  for (std::string line; std::getline(smaps, line);) {
    uint64_t begin = 0, end = 0;
    if (reads_range(line, begin, end))
      inside = begin < first + size_ && first < end;
    else if (inside)
      add_field(line, sum);
  }
  if (sum.resident_kib == 0) return std::nullopt;
  return static_cast<double>(sum.huge_kib) / static_cast<double>(sum.resident_kib);
}

}  // namespace hm::host
