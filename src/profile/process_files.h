// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

#include "base/process_files.h"
#include "record/features.h"
#include "record/mmap.h"

namespace hm::profile {

// Finds the running process through which a recorded file can be read, if the file is not at its path here:
// the file is deleted or replaced, or it is in a container.
class ProcessFiles {
 public:
  explicit ProcessFiles(const record::Features& features);

  // Returns a mapping with pid 0 if the file is at its path, if the process has ended, or if the recording
  // was made on another machine.
  [[nodiscard]] ProcessMapping find(const std::string& path, const record::Mmap& mmap);

 private:
  static constexpr int kMaxTries = 64;

  struct Known {
    ProcessMapping process;
    bool is_final = false;
    int tries = 0;
  };

  bool made_here_;
  std::map<std::tuple<std::string, uint32_t, uint32_t, uint64_t>, Known> known_;  // by path and identity
};

}  // namespace hm::profile
