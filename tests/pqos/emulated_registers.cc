// SPDX-License-Identifier: MIT
#include "pqos/emulated_registers.h"

#include <cerrno>

namespace hm::pqos_test {
namespace {

constexpr uint32_t kSelection = 0xC8D, kCounter = 0xC8E, kAssociation = 0xC8F;

}  // namespace

void EmulatedRegisters::reset() {
  std::lock_guard lock(mutex_);
  fault_ = Fault::kNone;
  offline_.clear();
  associations_.clear();
  selections_.clear();
  counters_.clear();
}

void EmulatedRegisters::set_counter(uint32_t cache, uint32_t id, Event event, uint64_t value) {
  std::lock_guard lock(mutex_);
  counters_[{cache, uint64_t{id} << 32 | event}] = value;
}

uint64_t EmulatedRegisters::association(unsigned cpu) const {
  std::lock_guard lock(mutex_);
  auto found = associations_.find(cpu);
  return found == associations_.end() ? 0 : found->second;
}

void EmulatedRegisters::set_association(unsigned cpu, uint64_t value) {
  std::lock_guard lock(mutex_);
  associations_[cpu] = value;
}

void EmulatedRegisters::set_fault(Fault fault) {
  std::lock_guard lock(mutex_);
  fault_ = fault;
}

void EmulatedRegisters::set_offline(unsigned cpu) {
  std::lock_guard lock(mutex_);
  offline_.insert(cpu);
}

bool EmulatedRegisters::has_files() const {
  std::lock_guard lock(mutex_);
  return fault_ != Fault::kNoFiles;
}

int EmulatedRegisters::open(unsigned) {
  std::lock_guard lock(mutex_);
  return fault_ == Fault::kOpenRefused ? -EPERM : 0;
}

int EmulatedRegisters::read(unsigned cpu, uint32_t number, uint64_t& value) {
  std::lock_guard lock(mutex_);
  if (refuses(cpu, Fault::kReadRefused)) return -EIO;
  switch (number) {
    case kAssociation:
      value = associations_[cpu];
      return 0;
    case kSelection:
      value = selections_[cpu];
      return 0;
    case kCounter: {
      auto found = counters_.find({cpu / kCpusOfCache, selections_[cpu]});
      value = found == counters_.end() ? 0 : found->second;
      return 0;
    }
    default:
      return -EIO;
  }
}

int EmulatedRegisters::write(unsigned cpu, uint32_t number, uint64_t value) {
  std::lock_guard lock(mutex_);
  if (refuses(cpu, Fault::kWriteRefused)) return -EIO;
  if (number == kAssociation) {
    associations_[cpu] = value;
  } else if (number == kSelection) {
    selections_[cpu] = value;
  } else {
    return -EIO;
  }
  return 0;
}

}  // namespace hm::pqos_test
