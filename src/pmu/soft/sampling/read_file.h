// SPDX-License-Identifier: MIT
// Reads a file from within the program's process. Freestanding.
#pragma once

#include <stdint.h>

#include <concepts>

#include "pmu/soft/ring/system_call.h"

namespace hm::soft {

// The engine's way of mapping files, which must not affect the program.
template <typename T>
concept FileMemory = requires(int fd, void* mapping, uint64_t bytes) {
  // Maps the start of a file to be read; null if the system refuses.
  { T::map_readable(fd, bytes) } -> std::same_as<void*>;
  { T::unmap(mapping, bytes) } -> std::same_as<void>;
};

// A file, mapped while this object lives; empty if it cannot be read.
template <FileMemory Memory>
class ReadFile {
 public:
  explicit ReadFile(const char* path) {
    // open(2), lseek(2)
    constexpr int64_t kWorkingFolder = -100, kCloseOnExec = 02000000, kSysSeek = 8, kSeekEnd = 2;
    auto fd =
        static_cast<int>(system_call(kSysOpenat, kWorkingFolder, pointer_argument(path), kCloseOnExec, 0));
    if (fd < 0) return;
    map(fd, system_call(kSysSeek, fd, 0, kSeekEnd));
    system_call(kSysClose, fd);
  }
  // The file of the program's descriptor. Its position does not change.
  explicit ReadFile(int fd) {
    constexpr int64_t kSysFstat = 5;
    struct {
      uint64_t before[6];
      int64_t size;
      uint64_t behind[11];
    } status{};
    if (system_call(kSysFstat, fd, pointer_argument(&status)) == 0) map(fd, status.size);
  }
  ~ReadFile() {
    if (data_ != nullptr) Memory::unmap(data_, bytes_);
  }
  ReadFile(const ReadFile&) = delete;
  ReadFile& operator=(const ReadFile&) = delete;

  [[nodiscard]] const void* data() const { return data_; }
  [[nodiscard]] uint64_t bytes() const { return bytes_; }

 private:
  void map(int fd, int64_t size) {
    if (size > 0) data_ = Memory::map_readable(fd, static_cast<uint64_t>(size));
    if (data_ != nullptr) bytes_ = static_cast<uint64_t>(size);
  }

  void* data_ = nullptr;
  uint64_t bytes_ = 0;
};

}  // namespace hm::soft
