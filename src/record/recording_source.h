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

// The bytes of a recording, at an address that does not change when this object is moved. Files are mapped; a
// pipe is read to its end.
class Source {
 public:
  // "-" is standard input. A folder must be a recording split by perf (recording_folder.h). Unpacks files of
  // gzip, xz and zstd. Fails with kNotFound, kPermission or kIo, and with kDamaged if packed data is damaged.
  static Result<Source> open(const std::string& path);
  // Refers to memory that must outlive this object.
  static Source over(Bytes bytes, std::vector<SourcePart> parts);

  // Returns the recording itself; for a folder, its file "data".
  [[nodiscard]] Bytes bytes() const { return bytes_; }
  [[nodiscard]] const std::vector<SourcePart>& parts() const { return parts_; }
  [[nodiscard]] bool is_folder() const { return is_folder_; }
  // Returns one sentence for each part that could not be read.
  [[nodiscard]] const std::vector<std::string>& problems() const { return problems_; }

 private:
  Source() = default;

  static Result<Source> open_packed(const std::string& path);
  static Result<Source> open_file(const std::string& path);
  static Result<Source> open_folder(const std::string& path);
  static Result<Source> read_all(int fd, const std::string& path);
  Status unpack_file(const std::string& path);

  std::vector<MappedFile> files_;
  std::vector<std::byte> read_;
  Bytes bytes_;
  bool is_folder_ = false;
  std::vector<SourcePart> parts_;
  std::vector<std::string> problems_;
};

}  // namespace hm::record
