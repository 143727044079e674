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

// A file's part of a process' memory, as /proc/PID/maps lists it.
struct MappedFile {
  uint64_t start = 0;
  uint64_t end = 0;
  uint64_t file_offset = 0;
  std::string path;
};

class SteppedProcess {
 public:
  // Stops at the program's first instruction; its output goes to /dev/null.
  explicit SteppedProcess(const std::vector<std::string>& command);
  SteppedProcess(const SteppedProcess&) = delete;
  SteppedProcess& operator=(const SteppedProcess&) = delete;
  ~SteppedProcess();

  // False where the system forbids ptrace(2) or the program does not start.
  [[nodiscard]] bool stopped() const { return stopped_; }
  [[nodiscard]] user_regs_struct registers() const;
  // One instruction, or one turn of a repeated one. False once the process is gone.
  bool step();
  // What holds the address; /proc/PID/maps is read again where nothing known does.
  [[nodiscard]] std::optional<MappedFile> file_at(uint64_t address);

 private:
  bool wait();
  [[nodiscard]] std::optional<MappedFile> known_file_at(uint64_t address) const;
  void read_maps();

  pid_t pid_ = -1;
  bool stopped_ = false;
  int signal_ = 0;  // for the process, with its next step
  std::vector<MappedFile> files_;
};

}  // namespace hm::clock_test
