// SPDX-License-Identifier: MIT
#include "app/code_copy_log.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/unique_fd.h"
#include "profile/copied_code.h"
#include "record/comm.h"
#include "record/task.h"

namespace hm::app {
namespace {

constexpr size_t kMaxCopies = 4096;
constexpr int kMaxTries = 64;

using Page = std::array<char, 4096>;

bool is_memory(std::string_view path) { return !MappedFiles::is_file(path) || path.ends_with(" (deleted)"); }

bool read_memory(uint32_t pid, uint64_t address, Page& page) {
  iovec here{page.data(), page.size()};
  iovec there{reinterpret_cast<void*>(address), page.size()};
  return ::process_vm_readv(static_cast<pid_t>(pid), &here, 1, &there, 1, 0) ==
         static_cast<ssize_t>(page.size());
}

bool read_file(int fd, uint64_t offset, Page& page) {
  return ::pread(fd, page.data(), page.size(), static_cast<off_t>(offset)) ==
         static_cast<ssize_t>(page.size());
}

// The results of comparing pages. Pages of zeros, and pages that cannot be read, are not compared.
struct Compared {
  int same = 0;
  int other = 0;
};

void compare_page(uint32_t pid, const profile::Mapping& part, uint64_t address, int fd, Compared& compared) {
  Page memory{}, code{};
  bool is_code = read_memory(pid, address, memory) &&
                 read_file(fd, part.offset + (address - part.start), code) &&
                 std::ranges::any_of(code, [](char byte) { return byte != 0; });
  if (is_code) ++(memory == code ? compared.same : compared.other);
}

// Compares some pages at equal distances.
void compare_part(uint32_t pid, const profile::Mapping& part, int fd, Compared& compared) {
  constexpr uint64_t kPages = 16, kPageBytes = sizeof(Page);
  uint64_t pages = (part.end - part.start) / kPageBytes;
  uint64_t step = std::max<uint64_t>(pages / kPages, 1);
  for (uint64_t page = 0; page < pages; page += step)
    compare_page(pid, part, part.start + page * kPageBytes, fd, compared);
}

}  // namespace

void CodeCopyLog::see(const record::Record& record) {
  if (record.type != PERF_RECORD_MMAP2 && record.type != PERF_RECORD_MMAP) return see_other(record);
  auto mmap = record::decode_mmap(record);
  if (mmap && mmap->executable && mmap->length <= UINT64_MAX - mmap->address) see_mapping(*mmap);
}

void CodeCopyLog::see_other(const record::Record& record) {
  if (record.type == PERF_RECORD_COMM) {
    auto comm = record::decode_comm(record);
    if (comm && comm->by_exec) (void)processes_.apply({0, profile::Exec{comm->pid}});
  } else if (record.type == PERF_RECORD_FORK) {
    auto task = record::decode_task(record);
    if (task && task->pid != task->parent_pid)
      (void)processes_.apply({0, profile::Fork{task->pid, task->parent_pid}});
  }
}

// All memory counts as a copy until it is compared, so that the code that it hides stays known.
void CodeCopyLog::see_mapping(const record::Mmap& mmap) {
  compare_pending(mmap.pid);
  profile::Mapping mapping{
      .start = mmap.address, .end = mmap.address + mmap.length, .offset = mmap.file_offset};
  const profile::AddressSpace& space = processes_.user(mmap.pid).mappings;
  if (is_memory(mmap.path)) {
    mapping.in_memory = true;
    mapping.same_code = profile::SameCode::kYes;
    add(mmap.pid, mapping, profile::hidden_code(mapping, space));
  } else {
    mapping.dso = files_.index_of(mmap);
    if (auto gap = profile::code_in_gap(mapping, space)) add(mmap.pid, *gap, {*gap});
  }
  (void)processes_.apply({0, profile::MapUser{mmap.pid, mapping}});
}

void CodeCopyLog::add(uint32_t pid, const profile::Mapping& memory, std::vector<profile::Mapping> parts) {
  if (parts.empty() || copies_.size() >= kMaxCopies) return;
  auto [copy, is_new] = copies_.try_emplace({pid, memory.start, memory.end}, Copy{std::move(parts)});
  if (is_new) compare(pid, copy->second);
}

void CodeCopyLog::compare_pending(uint32_t pid) {
  for (auto copy = copies_.lower_bound({pid, 0, 0}); copy != copies_.end() && std::get<0>(copy->first) == pid;
       ++copy) {
    if (!copy->second.has_same_code.value_or(false) && ++copy->second.tries <= kMaxTries)
      compare(pid, copy->second);
  }
}

void CodeCopyLog::compare_rest() {
  for (auto& [key, copy] : copies_) {
    if (!copy.has_same_code.value_or(false)) compare(std::get<0>(key), copy);
  }
}

// A few pages may differ: programs patch their code.
void CodeCopyLog::compare(uint32_t pid, Copy& copy) const {
  Compared compared;
  for (const profile::Mapping& part : copy.parts) {
    UniqueFd file(::open(files_.readable_path(part.dso).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.valid()) compare_part(pid, part, file.get(), compared);
  }
  if (compared.same + compared.other > 0) copy.has_same_code = compared.same > compared.other;
}

std::vector<record::CodeCopy> CodeCopyLog::copies() const {
  std::vector<record::CodeCopy> list;
  for (const auto& [key, copy] : copies_) {
    const auto& [pid, start, end] = key;
    if (copy.has_same_code) list.push_back({pid, start, end, *copy.has_same_code});
  }
  return list;
}

}  // namespace hm::app
