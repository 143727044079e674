// SPDX-License-Identifier: MIT
#include "app/code_copy_log.h"

#include <linux/perf_event.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/pagemap.h"
#include "profile/copied_code.h"
#include "profile/dso_names.h"
#include "record/comm.h"
#include "record/task.h"

namespace hm::app {
namespace {

constexpr size_t kMaxCopies = 4096;
constexpr int kMaxTries = 64;

using Page = std::array<char, 4096>;

bool has_code(const Page& page) {
  return std::ranges::any_of(page, [](char byte) { return byte != 0; });
}

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

// True if the program has copied only the beginning of the page so far.
bool is_being_copied(const Page& memory, const Page& code) {
  const auto* different = std::ranges::mismatch(memory, code).in1;
  return different != memory.begin() &&
         std::all_of(different, memory.end(), [](char byte) { return byte == 0; });
}

// Numbers of compared pages. Pages that are empty, unreadable or not yet complete are not compared.
struct Compared {
  int same = 0;
  int different = 0;
};

void compare_page(uint32_t pid, uint64_t address, int fd, uint64_t offset, Compared& compared) {
  Page memory{}, code{};
  bool is_readable = read_memory(pid, address, memory) && read_file(fd, offset, code);
  if (!is_readable || !has_code(memory) || !has_code(code)) return;
  if (memory == code)
    ++compared.same;
  else if (!is_being_copied(memory, code))
    ++compared.different;
}

// Compares up to 16 pages at equal distances. Pages that are not in memory are left out, because the process
// may decide when a page fault ends (userfaultfd(2)).
Compared compare_pages(uint32_t pid, const std::vector<profile::Mapping>& parts, int fd) {
  constexpr uint64_t kPages = 16, kPageBytes = sizeof(Page);
  const Pagemap pagemap(static_cast<pid_t>(pid));
  uint64_t pages = 0;
  for (const profile::Mapping& part : parts) pages += (part.end - part.start) / kPageBytes;
  uint64_t step = std::max<uint64_t>((pages + kPages - 1) / kPages, 1);
  Compared compared;
  uint64_t skipped = 0;  // pages of earlier parts since the last chosen one
  for (const profile::Mapping& part : parts) {
    uint64_t count = (part.end - part.start) / kPageBytes, page = skipped;
    for (; page < count; page += step) {
      uint64_t at = page * kPageBytes;
      if (pagemap.is_present(part.start + at))
        compare_page(pid, part.start + at, fd, part.offset + at, compared);
    }
    skipped = page - count;
  }
  return compared;
}

}  // namespace

void CodeCopyLog::see(const record::Record& record) {
  switch (record.type) {
    case PERF_RECORD_MMAP:
    case PERF_RECORD_MMAP2: {
      auto mmap = record::decode_mmap(record);
      bool is_kernel = (record.misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
      if (mmap && !is_kernel && mmap->executable && mmap->length <= UINT64_MAX - mmap->address)
        see_mapping(*mmap);
      return;
    }
    case PERF_RECORD_COMM:
      return see_name(record);
    case PERF_RECORD_FORK:
    case PERF_RECORD_EXIT:
      return see_task(record);
    default:
      return;
  }
}

void CodeCopyLog::see_name(const record::Record& record) {
  auto comm = record::decode_comm(record);
  if (comm && comm->by_exec) end(comm->pid);
}

// If the child has mappings already, they are newer than its fork: the record of the fork came late.
void CodeCopyLog::see_task(const record::Record& record) {
  auto task = record::decode_task(record);
  if (!task) return;
  if (record.type == PERF_RECORD_EXIT) {
    if (task->pid == task->tid) end(task->pid);
  } else if (task->pid != task->parent_pid && processes_.user(task->pid).mappings.size() == 0) {
    (void)processes_.apply({0, profile::Fork{task->pid, task->parent_pid}});
  }
}

// All memory counts as a copy until it is compared, so that the code that it hides stays known.
void CodeCopyLog::see_mapping(const record::Mmap& mmap) {
  for_each_of(mmap.pid, [&](Copy& copy) {
    if (!copy.has_same_code.value_or(false) && ++copy.tries <= kMaxTries) compare(mmap.pid, copy);
  });
  profile::Mapping mapping{
      .start = mmap.address, .end = mmap.address + mmap.length, .offset = mmap.file_offset};
  const profile::AddressSpace& space = processes_.user(mmap.pid).mappings;
  if (profile::may_hold_copied_code(mmap.path)) {
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
  auto [copy, is_new] = copies_.try_emplace({pid, memory.start, memory.end});
  if (!is_new && !copy->second.is_over) return;
  copy->second = {std::move(parts)};
  compare(pid, copy->second);
}

void CodeCopyLog::end(uint32_t pid) {
  for_each_of(pid, [](Copy& copy) { copy.is_over = true; });
  (void)processes_.apply({0, profile::Exec{pid}});
}

// Visits the copies of a process that is not over.
template <typename F>
void CodeCopyLog::for_each_of(uint32_t pid, F&& visit) {
  for (auto copy = copies_.lower_bound({pid, 0, 0}); copy != copies_.end() && std::get<0>(copy->first) == pid;
       ++copy) {
    if (!copy->second.is_over) visit(copy->second);
  }
}

void CodeCopyLog::compare_rest() {
  for (auto& [key, copy] : copies_) {
    if (!copy.is_over && !copy.has_same_code.value_or(false)) compare(std::get<0>(key), copy);
  }
}

// The majority of the pages decides, because programs patch their code.
void CodeCopyLog::compare(uint32_t pid, Copy& copy) const {
  int file = files_.descriptor(copy.parts.front().dso);
  if (file < 0) return;
  Compared compared = compare_pages(pid, copy.parts, file);
  if (compared.same + compared.different > 0) copy.has_same_code = compared.same > compared.different;
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
