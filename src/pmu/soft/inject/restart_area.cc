// SPDX-License-Identifier: MIT
#include "pmu/soft/inject/restart_area.h"

#include <sys/ptrace.h>

#include "pmu/soft/direct/translate/restartable_sequence.h"
#include "pmu/soft/inject/process_memory.h"

namespace hm::soft {
namespace {

// struct ptrace_rseq_configuration, which C libraries of before 2021 lack.
struct Configuration {
  uint64_t address;
  uint32_t bytes;
  uint32_t signature;
  uint32_t flags;
  uint32_t padding;
};

}  // namespace

RestartArea restart_area_of(pid_t thread) {
  constexpr auto kGetConfiguration = static_cast<__ptrace_request>(0x420f);  // PTRACE_GET_RSEQ_CONFIGURATION
  Configuration found{};
  if (::ptrace(kGetConfiguration, thread, sizeof(found), &found) < 0) return {};
  return {found.address, found.signature};
}

void restart_sequence(pid_t process, const RestartArea& area, user_regs_struct& registers) {
  uint64_t descriptor = 0;
  direct::RestartDescriptor sequence{};
  if (area.address == 0) return;
  bool is_in_one =
      read_memory(process, area.address + direct::kDescriptorField, &descriptor, sizeof(descriptor)) &&
      descriptor != 0 && read_memory(process, descriptor, &sequence, sizeof(sequence)) &&
      registers.rip - sequence.start < sequence.bytes;
  if (is_in_one) registers.rip = sequence.abort;
}

}  // namespace hm::soft
