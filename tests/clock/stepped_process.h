// SPDX-License-Identifier: MIT
// A process that runs one instruction at a time: ptrace(2), PTRACE_SINGLESTEP.
#pragma once

#include <sys/types.h>
#include <sys/user.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hm::clock_test {

// A file mapping of a process, as in /proc/PID/maps.
struct MappedFile {
  uint64_t start = 0;
  uint64_t end = 0;
  uint64_t file_offset = 0;
  std::string path;
};

class SteppedProcess {
 public:
  // Starts the program and stops at its first instruction; the program's output goes to /dev/null.
  explicit SteppedProcess(const std::vector<std::string>& command);
  SteppedProcess(const SteppedProcess&) = delete;
  SteppedProcess& operator=(const SteppedProcess&) = delete;
  ~SteppedProcess();

  // Returns false if the system forbids ptrace(2) or the program does not start.
  [[nodiscard]] bool stopped() const { return stopped_; }
  [[nodiscard]] user_regs_struct registers() const;
  // Runs one instruction, or one iteration of a repeated one. Returns false once the process is gone.
  bool step();
  // Returns the file mapped at the address. Reads /proc/PID/maps again if no known mapping contains it.
  [[nodiscard]] std::optional<MappedFile> file_at(uint64_t address);

 private:
  bool wait();
  [[nodiscard]] std::optional<MappedFile> known_file_at(uint64_t address) const;
  void read_maps();

  pid_t pid_ = -1;
  bool stopped_ = false;
  int signal_ = 0;  // delivered to the process with its next step
  std::vector<MappedFile> files_;
};

}  // namespace hm::clock_test
