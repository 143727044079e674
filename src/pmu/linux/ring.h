// SPDX-License-Identifier: MIT
#pragma once

#include <unistd.h>

#include <memory>
#include <utility>

#include "pmu/linux/kernel.h"
#include "record/ring_reader.h"

namespace hm::linux_pmu {

// The mapped kernel ring of one event. Other events on its CPU write into it, too. The destructor unmaps it.
class Ring {
 public:
  // `data_bytes`: a power of two, whole pages. On failure returns nullptr and an errno.
  static std::pair<std::unique_ptr<Ring>, int> map(Kernel& kernel, int fd, size_t data_bytes) {
    auto page_bytes = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
    int error = 0;
    void* base = kernel.map(fd, page_bytes + data_bytes, error);
    if (base == nullptr) return {nullptr, error};
    return {std::unique_ptr<Ring>(new Ring(kernel, fd, base, page_bytes, data_bytes)), 0};
  }
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;
  ~Ring() { kernel_.unmap(page_, bytes_); }

  [[nodiscard]] int fd() const { return fd_; }
  [[nodiscard]] record::RingReader& reader() { return reader_; }

 private:
  Ring(Kernel& kernel, int fd, void* page, size_t page_bytes, size_t data_bytes)
      : kernel_(kernel),
        fd_(fd),
        page_(page),
        bytes_(page_bytes + data_bytes),
        reader_(static_cast<perf_event_mmap_page*>(page), static_cast<std::byte*>(page) + page_bytes,
                data_bytes) {}

  Kernel& kernel_;
  int fd_;
  void* page_;
  size_t bytes_;
  record::RingReader reader_;
};

}  // namespace hm::linux_pmu
