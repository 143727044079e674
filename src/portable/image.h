// SPDX-License-Identifier: MIT
// Maps a position-independent ELF file as the kernel's execve(2) does (fs/binfmt_elf.c). Freestanding,
// x86-64. Source of the layout: System V ABI, "Program Loading".
#pragma once

#include <elf.h>
#include <stdint.h>

#include "pmu/soft/ring/system_call.h"

namespace hm::portable {

struct Image {
  uint64_t bias = 0;          // address of the file's virtual address 0
  uint64_t entry = 0;         // address of the first instruction
  uint64_t headers = 0;       // address of the program headers
  uint64_t header_count = 0;  // 0: the file could not be mapped
};

inline constexpr uint64_t kPage = 4096;

constexpr uint64_t page_begin(uint64_t address) { return address & ~(kPage - 1); }
constexpr uint64_t page_end(uint64_t address) { return page_begin(address + kPage - 1); }

class ImageFile {
 public:
  explicit ImageFile(int64_t fd) : fd_(fd) {}

  // Maps the file. A file that is no position-independent program or library of this processor, or that the
  // kernel refuses to map, yields an image without headers.
  [[nodiscard]] Image map() {
    if (!read_headers()) return {};
    Span span = find_span();
    if (span.bytes == 0 || !reserve(span)) return {};
    for (uint64_t i = 0; i < header_.e_phnum; ++i)
      if (segments_[i].p_type == PT_LOAD && !map_segment(segments_[i])) return {};
    return {bias_, bias_ + header_.e_entry, address_of_headers(), header_.e_phnum};
  }

 private:
  static constexpr uint64_t kMaxHeaders = 64;
  static constexpr int64_t kSysPread = 17, kSysMmap = 9;
  static constexpr int64_t kRead = 1, kWrite = 2, kExecute = 4;                // PROT_*
  static constexpr int64_t kPrivate = 0x02, kFixed = 0x10, kAnonymous = 0x20;  // MAP_*
  static constexpr int64_t kNoFile = -1;
  static constexpr uint64_t kMaxBytes = uint64_t{1} << 40;

  struct Span {
    uint64_t begin = 0;
    uint64_t bytes = 0;
    uint64_t alignment = kPage;
  };

  bool read_whole(void* to, uint64_t bytes, uint64_t offset) {
    int64_t count = soft::system_call(kSysPread, fd_, soft::pointer_argument(to), static_cast<int64_t>(bytes),
                                      static_cast<int64_t>(offset));
    return count == static_cast<int64_t>(bytes);
  }

  bool read_headers() {
    if (!read_whole(&header_, sizeof(header_), 0)) return false;
    const unsigned char* id = header_.e_ident;
    if (id[0] != 0x7f || id[1] != 'E' || id[2] != 'L' || id[3] != 'F' || id[EI_CLASS] != ELFCLASS64)
      return false;
    if (header_.e_type != ET_DYN || header_.e_machine != EM_X86_64) return false;
    if (header_.e_phentsize != sizeof(Elf64_Phdr) || header_.e_phnum > kMaxHeaders) return false;
    return read_whole(segments_, header_.e_phnum * sizeof(Elf64_Phdr), header_.e_phoff);
  }

  // Returns the pages from the first segment to the last; no bytes if the segments are invalid.
  Span find_span() {
    Span span;
    uint64_t end = 0;
    bool is_first = true;
    for (uint64_t i = 0; i < header_.e_phnum; ++i) {
      const Elf64_Phdr& segment = segments_[i];
      if (segment.p_type != PT_LOAD) continue;
      if (segment.p_vaddr > kMaxBytes || segment.p_memsz > kMaxBytes || segment.p_filesz > segment.p_memsz ||
          (segment.p_vaddr - segment.p_offset) % kPage != 0)
        return {};
      if (is_first) span.begin = page_begin(segment.p_vaddr);
      if (segment.p_vaddr < end) return {};  // segments are in order and do not overlap
      is_first = false;
      end = segment.p_vaddr + segment.p_memsz;
      bool is_power = segment.p_align != 0 && (segment.p_align & (segment.p_align - 1)) == 0;
      if (is_power && segment.p_align > span.alignment && segment.p_align < kMaxBytes)
        span.alignment = segment.p_align;
    }
    span.bytes = page_end(end) - span.begin;
    return span;
  }

  // Reserves the addresses. Those between segments remain inaccessible.
  bool reserve(const Span& span) {
    uint64_t surplus = span.alignment - kPage;
    int64_t start = soft::system_call(kSysMmap, 0, static_cast<int64_t>(span.bytes + surplus), 0,
                                      kPrivate | kAnonymous, kNoFile);
    if (soft::failed(start)) return false;
    uint64_t first = static_cast<uint64_t>(start) - span.begin;
    bias_ = (first + surplus) & ~(span.alignment - 1);
    return true;
  }

  bool map_segment(const Elf64_Phdr& segment) {
    int64_t protection = (segment.p_flags & PF_R ? kRead : 0) | (segment.p_flags & PF_W ? kWrite : 0) |
                         (segment.p_flags & PF_X ? kExecute : 0);
    uint64_t begin = bias_ + segment.p_vaddr;
    uint64_t file_end = begin + segment.p_filesz;
    uint64_t mapped_end = page_begin(begin);
    if (segment.p_filesz != 0) {
      mapped_end = page_end(file_end);
      if (!map_pages({page_begin(begin), file_end}, protection, fd_, page_begin(segment.p_offset)))
        return false;
    }
    uint64_t end = begin + segment.p_memsz;
    if (end == file_end) return true;
    // The rest is zero: of the file's last page, and pages of no file.
    if (segment.p_filesz != 0 && (segment.p_flags & PF_W) != 0) clear({file_end, mapped_end});
    return mapped_end >= end || map_pages({mapped_end, end}, protection, kNoFile, 0);
  }

  struct Addresses {
    uint64_t begin;
    uint64_t end;
  };

  static void clear(Addresses addresses) {
    auto* end = reinterpret_cast<volatile char*>(addresses.end);
    for (auto* byte = reinterpret_cast<volatile char*>(addresses.begin); byte != end; ++byte) *byte = 0;
  }

  static bool map_pages(Addresses addresses, int64_t protection, int64_t fd, uint64_t offset) {
    int64_t flags = kPrivate | kFixed | (fd == kNoFile ? kAnonymous : 0);
    int64_t bytes = static_cast<int64_t>(addresses.end - addresses.begin);
    return !soft::failed(soft::system_call(kSysMmap, static_cast<int64_t>(addresses.begin), bytes, protection,
                                           flags, fd, static_cast<int64_t>(offset)));
  }

  // Returns the address of the program headers: the segment that contains them is mapped.
  [[nodiscard]] uint64_t address_of_headers() const {
    for (uint64_t i = 0; i < header_.e_phnum; ++i) {
      const Elf64_Phdr& segment = segments_[i];
      if (segment.p_type == PT_LOAD && segment.p_offset <= header_.e_phoff &&
          header_.e_phoff < segment.p_offset + segment.p_filesz)
        return bias_ + segment.p_vaddr + (header_.e_phoff - segment.p_offset);
    }
    return 0;
  }

  int64_t fd_;
  uint64_t bias_ = 0;
  Elf64_Ehdr header_{};
  Elf64_Phdr segments_[kMaxHeaders]{};
};

}  // namespace hm::portable
