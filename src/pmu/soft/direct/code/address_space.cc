// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/code/address_space.h"

namespace hm::soft::direct {
namespace {

constexpr uint64_t kPageBytes = 4096;

}  // namespace

void AddressSpace::set_executable(uint64_t start, uint64_t end, bool executable, bool writable) {
  if (start >= end) return;
  watched_.remove(start, end);
  checked_.remove(start, end);
  executable ? executable_.add(start, end) : executable_.remove(start, end);
  executable&& writable ? writable_.add(start, end) : writable_.remove(start, end);
}

void AddressSpace::set_shared(uint64_t start, uint64_t end, bool shared) {
  if (start >= end) return;
  shared ? shared_.add(start, end) : shared_.remove(start, end);
}

void AddressSpace::forget_all() {
  executable_.clear();
  writable_.clear();
  watched_.clear();
  checked_.clear();
  shared_.clear();
}

void AddressSpace::set_checked(uint64_t page) { checked_.add(page, page + kPageBytes); }

void AddressSpace::set_watched(uint64_t page, bool watched) {
  watched ? watched_.add(page, page + kPageBytes) : watched_.remove(page, page + kPageBytes);
}

}  // namespace hm::soft::direct
