// SPDX-License-Identifier: MIT
// A file in memory that this process shares with the processes it measures.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/result.h"
#include "base/unique_fd.h"

namespace hm::soft {

// A shared, writable mapping of a file's first bytes, unmapped by the destructor. If another process
// truncates the file, or no memory is left for a page, an access does not end this process (SIGBUS). Instead
// the page becomes private memory of zeros, and is_lost() is true from then on.
class SharedFile {
 public:
  // Fails with kIo if the system refuses, or kMaxFiles files are mapped.
  static Result<SharedFile> map(const UniqueFd& fd, size_t bytes);
  static constexpr uint32_t kMaxFiles = 8192;

  SharedFile(SharedFile&& other) noexcept;
  SharedFile& operator=(SharedFile&& other) noexcept;
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;
  ~SharedFile();

  [[nodiscard]] void* data() const { return data_; }
  [[nodiscard]] bool is_lost() const;

 private:
  SharedFile(void* data, size_t bytes, uint32_t guard) : data_(data), bytes_(bytes), guard_(guard) {}

  void* data_ = nullptr;
  size_t bytes_ = 0;
  uint32_t guard_ = 0;  // index of its entry for the signal handler
};

}  // namespace hm::soft
