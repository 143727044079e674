// SPDX-License-Identifier: MIT
// Emulates the registers for cache monitoring, in files /dev/cpu/N/msr like those of the kernel's module msr.
// They are a file system (FUSE) in a mount namespace of this process; the real libpqos accesses the registers
// through these files.
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

enum Event : uint32_t { kOccupancy = 1, kTotal = 2, kLocal = 3 };  // numbers in IA32_QM_EVTSEL

class EmulatedRegisters {
 public:
  EmulatedRegisters();
  EmulatedRegisters(const EmulatedRegisters&) = delete;
  EmulatedRegisters& operator=(const EmulatedRegisters&) = delete;
  ~EmulatedRegisters();

  // Gives this process a mount namespace, with the files in /dev/cpu and separate locks in /var/lock. Returns
  // the reason if this is impossible, else "".
  std::string mount();

  // Sets the registers to their state after the processor's reset, and removes all faults.
  void reset();

  // Sets IA32_QM_CTR of an id, at one cache; the default is 0.
  void set_counter(uint32_t cache, uint32_t id, Event event, uint64_t value);
  // IA32_PQR_ASSOC.
  [[nodiscard]] uint64_t association(unsigned cpu) const;
  void set_association(unsigned cpu, uint64_t value);

  enum class Fault { kNone, kNoFiles, kOpenRefused, kReadRefused, kWriteRefused };
  void set_fault(Fault fault);
  // Makes all of the CPU's registers fail with EIO.
  void set_offline(unsigned cpu);

  // Operations of the file system. Errors are negative.
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
  std::map<std::pair<uint32_t, uint64_t>, uint64_t> counters_;  // by cache and selection in IA32_QM_EVTSEL
  fuse* fuse_ = nullptr;
  bool made_folder_ = false;
  std::thread serving_;
};

}  // namespace hm::pqos_test
