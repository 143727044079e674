// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "base/bytes.h"
#include "base/result.h"
#include "base/unique_fd.h"

namespace hm::record {

// A file or pipe that is written; every error is kIo or kPermission and names the path.
class Output {
 public:
  // Creates it, readable by its owner alone, or opens what is there: see Writer::create.
  static Result<Output> create(const std::string& path);

  // A regular file, in which one can go back.
  [[nodiscard]] bool is_file() const { return is_file_; }

  // All of it, or an error.
  Status write(Bytes bytes);
  // Files only.
  Status write_at(uint64_t offset, Bytes bytes);
  Status cut_at(uint64_t size);
  Status close();

 private:
  Output(std::string path, UniqueFd fd, bool is_file)
      : path_(std::move(path)), fd_(std::move(fd)), is_file_(is_file) {}

  [[nodiscard]] Error failure(const char* what, int error_number) const;

  std::string path_;
  UniqueFd fd_;
  bool is_file_;
};

}  // namespace hm::record
