// SPDX-License-Identifier: MIT
#include "pmu/linux/kernel.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "base/text_file.h"

namespace hm::linux_pmu {
namespace {

bool g_may_raise_file_limit = false;

// Raises the soft limit to the hard limit. Returns false if it is there already. A command that is already
// waiting keeps the limit that it was started with.
bool raise_file_limit() {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur == files.rlim_max) return false;
  files.rlim_cur = files.rlim_max;
  return ::setrlimit(RLIMIT_NOFILE, &files) == 0;
}

class ThisKernel final : public Kernel {
 public:
  int open(const perf_event_attr& attr, pid_t pid, int cpu, int group_fd, unsigned long flags) override {
    auto attempt = [&] {
      return ::syscall(SYS_perf_event_open, &attr, pid, cpu, group_fd, flags | PERF_FLAG_FD_CLOEXEC);
    };
    long fd = attempt();
    if (fd < 0 && errno == EMFILE && g_may_raise_file_limit && raise_file_limit()) fd = attempt();
    return fd < 0 ? -errno : static_cast<int>(fd);
  }

  int control(int fd, unsigned long request, uint64_t argument) override {
    return ::ioctl(fd, request, argument) < 0 ? -errno : 0;
  }

  std::optional<uint64_t> id_of(int fd) override {
    uint64_t id = 0;
    if (::ioctl(fd, PERF_EVENT_IOC_ID, &id) < 0) return std::nullopt;
    return id;
  }

  ssize_t read(int fd, std::span<uint64_t> words) override {
    ssize_t bytes = ::read(fd, words.data(), words.size_bytes());
    return bytes < 0 ? -errno : bytes / static_cast<ssize_t>(sizeof(uint64_t));
  }

  void* map(int fd, size_t bytes, int& error) override {
    void* base = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    error = errno;
    return base == MAP_FAILED ? nullptr : base;
  }

  void unmap(void* base, size_t bytes) override { ::munmap(base, bytes); }

  int open_folder(const std::string& path) override {
    int fd = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
  }

  std::optional<std::string> file(const std::string& path) override {
    std::optional<std::string> text = read_text(path);
    if (text && text->ends_with('\n')) text->pop_back();
    return text;
  }

  std::vector<std::string> folder(const std::string& path) override {
    std::vector<std::string> names;
    std::error_code ignored;
    for (std::filesystem::directory_iterator entry(path, ignored), end; !ignored && entry != end;
         entry.increment(ignored)) {
      names.push_back(entry->path().filename());
    }
    std::ranges::sort(names);
    return names;
  }

  bool is_root() override { return ::geteuid() == 0; }

  event::CpuModel cpu() override { return event::host_cpu(); }
};

}  // namespace

void allow_more_files() { g_may_raise_file_limit = true; }

Kernel& this_kernel() {
  static auto* kernel = new ThisKernel;  // never freed: threads that end late may still use it
  return *kernel;
}

}  // namespace hm::linux_pmu
