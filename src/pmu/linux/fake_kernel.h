// SPDX-License-Identifier: MIT
// A kernel for tests. It has the files, refusals and counts that a test sets, and records all requests.
#pragma once

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "pmu/linux/kernel.h"
#include "pmu/linux/pid_and_cpu.h"

namespace hm::linux_pmu {

class FakeKernel final : public Kernel {
 public:
  struct Opened {
    perf_event_attr attr{};
    PidAndCpu place;
    int group_fd = -1;
    unsigned long flags = 0;
    int fd = -1;
    std::vector<unsigned long> requests;
    uint64_t argument = 0;  // of the last request
  };

  // Returns an errno, or 0 if the event opens.
  std::function<int(const perf_event_attr&, const PidAndCpu&)> refuse;
  std::map<std::string, std::string> files{{"/sys/devices/system/cpu/online", "0-1"}};
  std::map<std::string, std::vector<std::string>> folders;
  bool root = true;
  event::CpuModel processor;
  int map_error = 0;
  uint64_t count = 100, enabled_ns = 10, running_ns = 10;  // read from every counter
  std::vector<Opened> opened;
  std::vector<perf_event_attr> refused;

  int open(const perf_event_attr& attr, pid_t pid, int cpu, int group_fd, unsigned long flags) override {
    PidAndCpu place{pid, cpu};
    if (int error = refuse ? refuse(attr, place) : 0; error != 0) {
      refused.push_back(attr);
      return -error;
    }
    int fd = ::eventfd(0, EFD_CLOEXEC);  // closed by the caller
    opened.push_back({attr, place, group_fd, flags, fd, {}, 0});
    return fd;
  }

  int control(int fd, unsigned long request, uint64_t argument) override {
    of(fd).requests.push_back(request);
    of(fd).argument = argument;
    return 0;
  }

  std::optional<uint64_t> id_of(int fd) override { return 1000 + static_cast<uint64_t>(fd); }

  ssize_t read(int /*fd*/, std::span<uint64_t> words) override {
    words[0] = count;
    words[1] = enabled_ns;
    words[2] = running_ns;
    return 3;
  }

  void* map(int fd, size_t bytes, int& error) override {
    error = map_error;
    if (error != 0) return nullptr;
    auto memory = std::make_unique<uint64_t[]>(bytes / sizeof(uint64_t));
    void* base = memory.get();
    rings[fd] = std::move(memory);
    return base;
  }
  void unmap(void* /*base*/, size_t /*bytes*/) override { ++unmapped; }

  int open_folder(const std::string& path) override {
    return folders.contains(path) ? ::eventfd(0, EFD_CLOEXEC) : -ENOENT;
  }
  std::optional<std::string> file(const std::string& path) override {
    auto found = files.find(path);
    return found == files.end() ? std::nullopt : std::optional(found->second);
  }
  std::vector<std::string> folder(const std::string& path) override {
    auto found = folders.find(path);
    return found == folders.end() ? std::vector<std::string>() : found->second;
  }
  bool is_root() override { return root; }
  event::CpuModel cpu() override { return processor; }

  Opened& of(int fd) {
    for (Opened& each : opened) {
      if (each.fd == fd) return each;
    }
    return opened.emplace_back();
  }

  // Writes a record into a ring as the kernel does.
  void write_record(int fd, Bytes record) {
    auto* page = reinterpret_cast<perf_event_mmap_page*>(rings.at(fd).get());
    auto* data = reinterpret_cast<std::byte*>(page) + ::sysconf(_SC_PAGESIZE);
    std::memcpy(data + page->data_head, record.data(), record.size());
    page->data_head += record.size();
  }

  std::map<int, std::unique_ptr<uint64_t[]>> rings;
  int unmapped = 0;
};

}  // namespace hm::linux_pmu
