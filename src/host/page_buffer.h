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

// Anonymous memory in pages of one kind. Each page is allocated at its first use. The destructor unmaps it.
class PageBuffer {
 public:
  // Maps at least `bytes`, aligned to kHugePageBytes. Huge pages come from the pool (mmap(2), MAP_HUGETLB) if
  // it has enough. Otherwise requests transparent huge pages (madvise(2), MADV_HUGEPAGE), which the kernel
  // may not provide: see huge_share(). Fails with kIo if there is no memory.
  static Result<PageBuffer> map(uint64_t bytes, PageKind kind);

  PageBuffer(PageBuffer&& other) noexcept;
  PageBuffer& operator=(PageBuffer&& other) noexcept;
  PageBuffer(const PageBuffer&) = delete;
  PageBuffer& operator=(const PageBuffer&) = delete;
  ~PageBuffer();

  [[nodiscard]] std::span<std::byte> bytes() const { return {begin_, size_}; }
  // Returns the fraction of the touched memory that lies in huge pages, 0 to 1, from /proc/self/smaps
  // (proc(5)). Returns nullopt if the file is unreadable or no memory was touched.
  [[nodiscard]] std::optional<double> huge_share() const;

 private:
  PageBuffer(void* mapping, uint64_t mapped_bytes, uint64_t bytes);

  void* mapping_ = nullptr;
  uint64_t mapped_bytes_ = 0;
  std::byte* begin_ = nullptr;
  uint64_t size_ = 0;
};

}  // namespace hm::host
