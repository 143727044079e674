// SPDX-License-Identifier: MIT
// The registers by which processors monitor caches, in files /dev/cpu/N/msr as the kernel's module msr makes
// them: a file system (FUSE) in a mount namespace of this process's own, which is real libpqos's way to them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "pqos/emulated_cpu.h"

struct fuse;

namespace hm::pqos_test {

constexpr uint64_t kUnavailable = uint64_t{1} << 62, kError = uint64_t{1} << 63;

enum Event : uint32_t { kOccupancy = 1, kTotal = 2, kLocal = 3 };  // as IA32_QM_EVTSEL numbers them

class EmulatedRegisters {
 public:
  EmulatedRegisters();
  EmulatedRegisters(const EmulatedRegisters&) = delete;
  EmulatedRegisters& operator=(const EmulatedRegisters&) = delete;
  ~EmulatedRegisters();

  // Gives this process a mount namespace, with the files in /dev/cpu, and locks of its own in /var/lock;
  // where it cannot, why not.
  std::string mount();

  // As after the processor's reset, and without faults.
  void reset();

  // IA32_QM_CTR of an id, at one cache; 0 where it was not set.
  void set_counter(uint32_t cache, uint32_t id, Event event, uint64_t value);
  // IA32_PQR_ASSOC.
  [[nodiscard]] uint64_t association(unsigned cpu) const;
  void set_association(unsigned cpu, uint64_t value);

  enum class Fault { kNone, kNoFiles, kOpenRefused, kReadRefused, kWriteRefused };
  void set_fault(Fault fault);
  // All of its registers answer with EIO.
  void set_offline(unsigned cpu);

  // What the file system asks. Errors are negative.
  int open(unsigned cpu);
  int read(unsigned cpu, uint32_t number, uint64_t& value);
  int write(unsigned cpu, uint32_t number, uint64_t value);
  [[nodiscard]] bool has_files() const;

 private:
  [[nodiscard]] bool refuses(unsigned cpu, Fault fault) const {
    return fault_ == fault || offline_.contains(cpu);
  }

  mutable std::mutex mutex_;
  Fault fault_ = Fault::kNone;
  std::set<unsigned> offline_;
  std::map<unsigned, uint64_t> associations_, selections_;      // by CPU
  std::map<std::pair<uint32_t, uint64_t>, uint64_t> counters_;  // by cache, and what IA32_QM_EVTSEL selects
  fuse* fuse_ = nullptr;
  bool made_folder_ = false;
  std::thread serving_;
};

}  // namespace hm::pqos_test
