// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "base/bytes.h"
#include "base/result.h"
#include "base/unique_fd.h"

namespace hm {

// Opens a regular file for reading. A directory or device is refused; a pipe is too, without waiting for a
// writer.
Result<UniqueFd> open_regular_file(const std::string& path);

// A mapping of a whole file, unmapped by the destructor.
class MappedFile {
 public:
  // Maps the file read-only and private. An empty file gives an empty span; a directory or device is refused.
  static Result<MappedFile> open(const std::string& path);

  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  [[nodiscard]] Bytes bytes() const { return {static_cast<const std::byte*>(data_), size_}; }

 private:
  MappedFile(void* data, size_t size) : data_(data), size_(size) {}

  void* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace hm
