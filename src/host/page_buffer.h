// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/bytes.h"
#include "base/result.h"

namespace hm::host {

enum class PageKind {
  kSmall,  // 4 KiB
  kHuge,   // 2 MiB
};

inline constexpr uint64_t kHugePageBytes = uint64_t{2} << 20;

// Anonymous memory in pages of one kind; each page exists from its first use on. Unmapped by the destructor.
class PageBuffer {
 public:
  // At least `bytes`, which begin at a multiple of kHugePageBytes. Huge pages come from the pool (mmap(2),
  // MAP_HUGETLB) where it has enough, else the kernel is asked for transparent ones (madvise(2),
  // MADV_HUGEPAGE), which it may deny: see huge_share(). kIo where there is no memory.
  static Result<PageBuffer> map(uint64_t bytes, PageKind kind);

  PageBuffer(PageBuffer&& other) noexcept;
  PageBuffer& operator=(PageBuffer&& other) noexcept;
  PageBuffer(const PageBuffer&) = delete;
  PageBuffer& operator=(const PageBuffer&) = delete;
  ~PageBuffer();

  [[nodiscard]] std::span<std::byte> bytes() const { return {begin_, size_}; }
  // Which share of the touched memory lies in huge pages, between 0 and 1, by /proc/self/smaps (proc(5));
  // nothing where that cannot be read or nothing was touched.
  [[nodiscard]] std::optional<double> huge_share() const;

 private:
  PageBuffer(void* mapping, uint64_t mapped_bytes, uint64_t bytes);

  void* mapping_ = nullptr;
  uint64_t mapped_bytes_ = 0;
  std::byte* begin_ = nullptr;
  uint64_t size_ = 0;
};

}  // namespace hm::host
