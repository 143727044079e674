// SPDX-License-Identifier: MIT
// Writes an initial RAM disk for Linux: a cpio archive in the "newc" format
// (Documentation/driver-api/early-userspace/buffer-format.rst in Linux).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hm::soft {

class RamDisk {
 public:
  void add_folder(const std::string& path) { add(path, kFolder, {}); }
  void add_program(const std::string& path, std::string_view content) { add(path, kProgram, content); }
  void add_file(const std::string& path, std::string_view content) { add(path, kFile, content); }

  // Returns the archive. Nothing can be added afterwards.
  [[nodiscard]] std::string finish();

 private:
  static constexpr uint32_t kFolder = 0040755, kProgram = 0100755, kFile = 0100644;

  void add(const std::string& path, uint32_t mode, std::string_view content);
  void pad();

  std::string archive_;
  uint32_t entries_ = 0;
};

}  // namespace hm::soft
