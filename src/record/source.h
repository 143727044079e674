// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/mapped_file.h"
#include "base/result.h"

namespace hm::record {

// One of the files data.0, data.1, ... of a folder.
struct SourcePart {
  std::string name;
  Bytes records;
};

// The bytes of a recording, at an address that stays when this is moved: files are mapped, a pipe is read to
// its end.
class Source {
 public:
  // "-" is standard input; a folder is one that perf splits a recording over (recording_folder.h). kNotFound,
  // kPermission, kIo.
  static Result<Source> open(const std::string& path);
  // Over memory that outlives this.
  static Source over(Bytes bytes, std::vector<SourcePart> parts);

  // The recording itself; of a folder, its head.
  [[nodiscard]] Bytes bytes() const { return bytes_; }
  [[nodiscard]] const std::vector<SourcePart>& parts() const { return parts_; }
  [[nodiscard]] bool is_folder() const { return is_folder_; }
  // Parts that could not be read, a sentence each.
  [[nodiscard]] const std::vector<std::string>& problems() const { return problems_; }

 private:
  Source() = default;

  static Result<Source> open_file(const std::string& path);
  static Result<Source> open_folder(const std::string& path);
  static Result<Source> read_all(int fd, const std::string& path);

  std::vector<MappedFile> files_;
  std::vector<std::byte> read_;
  Bytes bytes_;
  bool is_folder_ = false;
  std::vector<SourcePart> parts_;
  std::vector<std::string> problems_;
};

}  // namespace hm::record
