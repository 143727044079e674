// SPDX-License-Identifier: MIT
#include "stepped_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

namespace hm::clock_test {
namespace {

[[noreturn]] void become(const std::vector<std::string>& command) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  int null = ::open("/dev/null", O_RDWR);
  for (int target : {0, 1, 2}) ::dup2(null, target);
  if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0) ::execvp(words[0], words.data());
  ::_exit(127);
}

}  // namespace

SteppedProcess::SteppedProcess(const std::vector<std::string>& command) {
  pid_ = ::fork();
  if (pid_ == 0) become(command);
  stopped_ = pid_ > 0 && wait();
  signal_ = 0;  // exec's trap is not a signal of the program
}

SteppedProcess::~SteppedProcess() {
  if (!stopped_) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

bool SteppedProcess::wait() {
  int status = 0;
  if (::waitpid(pid_, &status, 0) != pid_ || !WIFSTOPPED(status)) return false;
  signal_ = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
  return true;
}

user_regs_struct SteppedProcess::registers() const {
  user_regs_struct registers{};
  ::ptrace(PTRACE_GETREGS, pid_, nullptr, &registers);
  return registers;
}

bool SteppedProcess::step() {
  stopped_ = ::ptrace(PTRACE_SINGLESTEP, pid_, nullptr, static_cast<long>(signal_)) == 0 && wait();
  return stopped_;
}

std::optional<MappedFile> SteppedProcess::known_file_at(uint64_t address) const {
  for (const MappedFile& file : files_) {
    if (address - file.start < file.end - file.start) return file;
  }
  return std::nullopt;
}

std::optional<MappedFile> SteppedProcess::file_at(uint64_t address) {
  std::optional<MappedFile> file = known_file_at(address);
  if (file) return file;
  read_maps();
  return known_file_at(address);
}

// START-END PERMISSIONS OFFSET DEVICE INODE PATH: proc(5).
void SteppedProcess::read_maps() {
  files_.clear();
  std::ifstream maps("/proc/" + std::to_string(pid_) + "/maps");
  for (std::string line; std::getline(maps, line);) {
    std::istringstream words(line);
    MappedFile file;
    char dash = 0;
    std::string permissions;
    std::string device;
    std::string inode;
    words >> std::hex >> file.start >> dash >> file.end >> permissions >> file.file_offset >> device >>
        inode >> file.path;
    if (file.path.starts_with('/')) files_.push_back(std::move(file));
  }
}

}  // namespace hm::clock_test
