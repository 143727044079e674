// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/decode/oracle/processor.h"

#include <setjmp.h>
#include <sys/mman.h>

#include <cstddef>
#include <cstring>
#include <random>

namespace hm::soft::direct {

struct Processor::Frame {
  ProcessorState state;
  uint8_t code[512];
  alignas(64) uint8_t vector_state[16384];  // in the layout of xsave
};

namespace {

// Below 2 GiB, so that code can address it with 32 bits.
constexpr uint64_t kFrameAddress = 0x02000000;
constexpr uint64_t kFrameBytes = 0x10000;
constexpr unsigned kRsp = 4;
constexpr size_t kFlagsOffset = offsetof(ProcessorState, flags);
constexpr int kSignals[] = {SIGSEGV, SIGILL, SIGFPE, SIGTRAP, SIGBUS};

sigjmp_buf after_fault;
void on_fault(int) { siglongjmp(after_fault, 1); }

void* map_at(uint64_t address, uint64_t bytes, int protection) {
  void* there = mmap(reinterpret_cast<void*>(address), bytes, protection,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  return there == MAP_FAILED ? nullptr : there;
}

}  // namespace

Processor::Processor() {
  void* data = map_at(kDataAddress, kDataBytes, PROT_READ | PROT_WRITE);
  if (data == nullptr) return;
  frame_ = static_cast<Frame*>(map_at(kFrameAddress, kFrameBytes, PROT_READ | PROT_WRITE | PROT_EXEC));
  if (frame_ == nullptr) {
    munmap(data, kDataBytes);
    return;
  }
  save_vector_state();
  struct sigaction action {};
  action.sa_handler = on_fault;
  action.sa_flags = SA_NODEFER;
  for (int signal : kSignals) sigaction(signal, &action, &before_[signal]);
}

Processor::~Processor() {
  if (frame_ == nullptr) return;
  for (int signal : kSignals) sigaction(signal, &before_[signal], nullptr);
  munmap(frame_, kFrameBytes);
  munmap(reinterpret_cast<void*>(kDataAddress), kDataBytes);
}

// Saves the current vector state, with random numbers in xmm0 to xmm15.
void Processor::save_vector_state() {
  asm volatile("xsave64 %0" : "=m"(frame_->vector_state) : "a"(-1), "d"(-1) : "memory");
  std::mt19937_64 random(9);
  constexpr size_t kXmm = 160;  // Intel SDM volume 1, table 10-2
  for (size_t at = kXmm; at < kXmm + 256; at += 8) {
    uint64_t value = random();
    std::memcpy(static_cast<uint8_t*>(frame_->vector_state) + at, &value, 8);
  }
}

void Processor::restore_vector_state() {
  asm volatile("xrstor64 %0" ::"m"(frame_->vector_state), "a"(-1), "d"(-1)
               : "memory", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
                 "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}

void Processor::put(std::initializer_list<uint8_t> bytes) {
  code_.insert(code_.end(), bytes.begin(), bytes.end());
}

void Processor::put_address(size_t offset) {
  auto address = static_cast<uint32_t>(kFrameAddress + offset);
  for (unsigned i = 0; i < 4; ++i) code_.push_back(static_cast<uint8_t>(address >> 8 * i));
}

// Emits mov between the frame's state and all registers except rsp.
void Processor::put_moves(uint8_t opcode) {
  for (unsigned number = 0; number < 16; ++number) {
    if (number == kRsp) continue;
    auto rex = static_cast<uint8_t>(number < 8 ? 0x48 : 0x4c);
    put({rex, opcode, static_cast<uint8_t>((number & 7) << 3 | 4), 0x25});
    put_address(8 * number);
  }
}

void Processor::load(const std::vector<uint8_t>& instruction) {
  code_.clear();
  put({0x53, 0x55, 0x41, 0x54, 0x41, 0x55, 0x41, 0x56, 0x41, 0x57});  // push rbx, rbp, r12 to r15
  put({0xff, 0x34, 0x25});                                            // push [flags]
  put_address(kFlagsOffset);
  put({0x9d});  // popf
  put_moves(0x8b);
  code_.insert(code_.end(), instruction.begin(), instruction.end());
  put_moves(0x89);
  put({0x9c, 0x8f, 0x04, 0x25});  // pushf, pop [flags]
  put_address(kFlagsOffset);
  put({0xfc, 0x41, 0x5f, 0x41, 0x5e, 0x41, 0x5d, 0x41, 0x5c, 0x5d, 0x5b, 0xc3});  // cld, pop r15 to rbx, ret
  std::memcpy(static_cast<uint8_t*>(frame_->code), code_.data(), code_.size());
}

std::optional<ProcessorState> Processor::run(const ProcessorState& state) {
  frame_->state = state;
  restore_vector_state();
  if (sigsetjmp(after_fault, 0) != 0) {
    restore_vector_state();
    return std::nullopt;
  }
  reinterpret_cast<void (*)()>(static_cast<uint8_t*>(frame_->code))();
  restore_vector_state();
  ProcessorState result = frame_->state;
  result.flags &= kStatusFlags | kDirectionFlag;
  return result;
}

}  // namespace hm::soft::direct
