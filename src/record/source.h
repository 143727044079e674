// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/mapped_file.h"
#include "base/result.h"

namespace hm::record {

// The bytes of a recording, at an address that stays when this is moved: a file is mapped, a pipe is read to
// its end.
class Source {
 public:
  // "-" is standard input. kNotFound, kPermission, kIo; kUnsupported for a directory.
  static Result<Source> open(const std::string& path);
  // Over memory that outlives this.
  static Source over(Bytes bytes);

  [[nodiscard]] Bytes bytes() const { return bytes_; }

 private:
  explicit Source(MappedFile file) : file_(std::move(file)), bytes_(file_->bytes()) {}
  explicit Source(std::vector<std::byte> read) : read_(std::move(read)), bytes_(read_) {}
  explicit Source(Bytes bytes) : bytes_(bytes) {}

  static Result<Source> read_all(int fd, const std::string& path);

  std::optional<MappedFile> file_;
  std::vector<std::byte> read_;
  Bytes bytes_;
};

}  // namespace hm::record
