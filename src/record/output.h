// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "base/bytes.h"
#include "base/result.h"
#include "base/unique_fd.h"

namespace hm::record {

// An output file or pipe. Every error is kIo or kPermission and names the path.
class Output {
 public:
  // Creates a file that only its owner can read, or opens an existing output: see Writer::create.
  static Result<Output> create(const std::string& path);

  // Returns true for a regular file, in which earlier bytes can be overwritten.
  [[nodiscard]] bool is_file() const { return is_file_; }

  // Writes all bytes or fails.
  Status write(Bytes bytes);
  // The next two functions require is_file().
  Status write_at(uint64_t offset, Bytes bytes);
  Status cut_at(uint64_t size);
  Status close();
  // Removes the file: a part of it would be of no use. Other outputs stay.
  void discard();

 private:
  Output(std::string path, UniqueFd fd, bool is_file)
      : path_(std::move(path)), fd_(std::move(fd)), is_file_(is_file) {}

  [[nodiscard]] Error failure(const char* what, int error_number) const;

  std::string path_;
  UniqueFd fd_;
  bool is_file_;
};

}  // namespace hm::record
