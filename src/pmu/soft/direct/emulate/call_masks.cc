// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/emulate/call_masks.h"

#include "pmu/soft/direct/core/program_memory.h"
#include "pmu/soft/direct/emulate/signal_actions.h"
#include "pmu/soft/direct/runtime/system_call_numbers.h"

namespace hm::soft::direct {
namespace {

constexpr uint64_t kPselect6 = 270, kPpoll = 271, kRtSigsuspend = 130, kIoPgetevents = 333,
                   kIoUringEnter = 426, kEpollPwait2 = 441;

// Address and size of a signal mask in a system call's arguments; address 0 if there is no mask.
struct MaskArgument {
  uint64_t address;
  uint64_t bytes;
};

// Reads a mask argument from memory: calls without enough registers pass a pointer to the address and size.
MaskArgument behind(uint64_t address) {
  MaskArgument mask{};
  return address != 0 && read_program(address, mask) ? mask : MaskArgument{};
}

MaskArgument mask_argument(const uint64_t* r, uint64_t number) {
  constexpr uint64_t kExtended = 8;  // IORING_ENTER_EXT_ARG: the mask argument is in memory, with a size of
                                     // 32 bits
  switch (number) {
    case kRtSigsuspend:
      return {r[kDi], r[kSi]};
    case kPpoll:
      return {r[kR10], r[kR8]};
    case kEpollPwait:
    case kEpollPwait2:
      return {r[kR8], r[kR9]};
    case kPselect6:
    case kIoPgetevents:
      return behind(r[kR9]);
    case kIoUringEnter: {
      if ((r[kR10] & kExtended) == 0) return {r[kR8], r[kR9]};
      MaskArgument mask = behind(r[kR8]);
      return {mask.address, static_cast<uint32_t>(mask.bytes)};
    }
    default:
      return {};
  }
}

}  // namespace

void follow_mask_of_call(Thread& thread, uint64_t number, int64_t result) {
  constexpr int64_t kInterrupted = -4;  // EINTR
  SignalState& state = thread.signals;
  if (result != kInterrupted || state.count == 0) return;
  MaskArgument argument = mask_argument(thread.context.registers, number);
  SignalMask mask = 0;
  if (argument.address == 0 || argument.bytes != kMaskBytes || !read_program(argument.address, mask)) return;
  mask &= ~kUncatchable;
  discard_ignored(state, mask);
  if (!signal_is_due(state, mask)) return;
  state.arrived = 1;
  begin_mask_of_call(state, mask);
}

}  // namespace hm::soft::direct
