// SPDX-License-Identifier: MIT
// Runs blocks of instructions, each from a state derived from its seed, and prints the resulting states.
//
//   block_runner [MODE...] hash FILE     a line for each run: a hash of the state, and the address of a fault
//   block_runner [MODE...] show FILE N   all of block N's state, a line for each part that can differ
//   block_runner range FILE BEGIN END    nothing: to count what blocks BEGIN to END - 1 access
//   block_runner cases                   the blocks of cases.S, a line for each part of each
//
// "writable": the code's pages are writable, and blocks may change themselves.
// "signals": a timer's signal arrives at any time, and its handler changes vector registers and flags.
// "absent": instructions that the file lists as missing raise a fault, as on a processor without them.
//
// Each block runs from two states, one after the other: in the second run a copying engine already has its
// copy.
#include <asm/prctl.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "block_start.h"
#include "block_state.h"
#include "pmu/soft/ring/system_call.h"

namespace hm::direct_test {
namespace {

extern "C" {
void run_block(State* state, const void* code);
void end_of_block();
void end_of_faulted_block();
extern uint64_t their_stack;
extern uint8_t has_avx512;
struct Case {
  const char* name;
  const uint8_t *begin, *end;
};
extern const Case first_case[], last_case[];
}

constexpr uint8_t kTrap = 0xcc;  // int3

State g_state;
const uint8_t* g_block;  // the first byte to run
uint32_t g_ignored_flags = kAdjustFlagOfState;
uint32_t g_ignored_flags_at_fault = kStatusFlagsOfState;
bool g_ignores_pushed_word = false;
uint64_t g_resumed_faults = 0;  // a hash of those after which the block went on
bool g_is_writable = false;

[[noreturn]] void fail(const char* what) {
  std::perror(what);
  std::exit(3);
}

uint64_t mix(uint64_t seed, uint64_t word) {
  seed = (seed ^ word) * 0x9e3779b97f4a7c15u;
  return seed ^ seed >> 29;
}

// If the block has stored where it goes on behind a fault, makes it go on there, and adds the fault and the
// registers to the hash.
bool resume(greg_t* registers) {
  auto& slot = *reinterpret_cast<uint64_t*>(kResumeSlot);
  if (slot < kCodeBase || slot >= kCodeBase + kCodeBytes) return false;
  for (uint64_t each : {g_state.fault_signal, g_state.fault_code, g_state.fault_address, g_state.fault_trap,
                        g_state.fault_error, g_state.fault_offset})
    g_resumed_faults = mix(g_resumed_faults, each);
  for (int i = REG_R8; i < REG_RIP; ++i) g_resumed_faults = mix(g_resumed_faults, registers[i]);
  g_state.fault_signal = 0;
  registers[REG_RIP] = static_cast<greg_t>(slot);
  slot = 0;
  return true;
}

void on_timer(int) {
  asm volatile("fninit; pcmpeqd %%xmm0, %%xmm0; pcmpeqd %%xmm7, %%xmm7; stc" ::: "cc", "xmm0", "xmm7");
}

void start_timer() {
  struct sigaction action {};
  action.sa_handler = on_timer;
  action.sa_flags = SA_ONSTACK | SA_RESTART;
  ::sigaction(SIGALRM, &action, nullptr);
  constexpr suseconds_t kPeriod_us = 700;
  itimerval period{{0, kPeriod_us}, {0, kPeriod_us}};
  ::setitimer(ITIMER_REAL, &period, nullptr);
}

// Must not use the C library: the thread's own thread-local storage is unreachable here.
__attribute__((optimize("no-stack-protector"))) void on_fault(int signal, siginfo_t* info, void* raw) {
  constexpr greg_t kResume = 1 << 16;
  auto* registers = static_cast<ucontext_t*>(raw)->uc_mcontext.gregs;
  g_state.fault_signal = static_cast<uint64_t>(signal);
  g_state.fault_offset = static_cast<uint64_t>(registers[REG_RIP]) - reinterpret_cast<uint64_t>(g_block);
  auto address = reinterpret_cast<uint64_t>(info->si_addr);
  bool of_data = signal == SIGSEGV || signal == SIGBUS, of_code = signal == SIGILL || signal == SIGFPE;
  g_state.fault_address = of_data ? address : 0;
  g_state.fault_place = of_code ? address - reinterpret_cast<uint64_t>(g_block) : 0;
  g_state.fault_code = static_cast<uint64_t>(info->si_code);
  g_state.fault_trap = static_cast<uint64_t>(registers[REG_TRAPNO]);
  g_state.fault_error = static_cast<uint64_t>(registers[REG_ERR]);
  constexpr uint64_t kGeneralProtection = 13;
  if (g_ignores_pushed_word && g_state.fault_trap == kGeneralProtection)
    reinterpret_cast<uint64_t*>(registers[REG_RSP])[-1] = 0;
  if (resume(registers)) return;
  // Some hypervisors do not let a program return to a stack pointer that is no address.
  their_stack = static_cast<uint64_t>(registers[REG_RSP]);
  registers[REG_RSP] = kArena;
  registers[REG_RIP] = reinterpret_cast<greg_t>(end_of_faulted_block);
  registers[REG_EFL] &= ~(kResume | greg_t{g_ignored_flags_at_fault});
}

void handle_faults() {
  stack_t stack{};
  stack.ss_size = 65536;
  stack.ss_sp = std::malloc(stack.ss_size);
  if (::sigaltstack(&stack, nullptr) != 0) fail("sigaltstack");
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (int signal : {SIGSEGV, SIGILL, SIGFPE, SIGBUS, SIGTRAP}) ::sigaction(signal, &action, nullptr);
}

// x87 instruction and operand pointers are those of the copy.
void forget_what_may_differ() {
  std::memset(g_state.x87 + 6, 0, 18);
  g_state.flags &= ~uint64_t{g_ignored_flags};
}

void run_from(uint64_t seed, const uint8_t* code) {
  g_state = start_state(seed);
  make_memory(seed, g_state);
  g_block = code;
  g_resumed_faults = 0;
  unsigned long own = 0;
  ::syscall(SYS_arch_prctl, ARCH_GET_FS, &own);
  ::syscall(SYS_arch_prctl, ARCH_SET_FS, kArena + kArenaBytes / 2);
  run_block(&g_state, code);
  // Without the C library, which would access its own thread data.
  soft::system_call(SYS_arch_prctl, ARCH_SET_FS, static_cast<int64_t>(own));
  forget_what_may_differ();
}

uint64_t hash(uint64_t seed, const void* data, size_t bytes) {
  const auto* words = static_cast<const char*>(data);
  for (size_t i = 0; i + 8 <= bytes; i += 8) {
    uint64_t word;
    std::memcpy(&word, words + i, sizeof(word));
    seed = mix(seed, word);
  }
  return seed;
}

void print_words(const char* name, unsigned number, const uint8_t* bytes, size_t count) {
  std::printf("%s%u", name, number);
  for (size_t i = 0; i < count; i += 8) {
    uint64_t word;
    std::memcpy(&word, bytes + i, sizeof(word));
    std::printf(" %016lx", word);
  }
  std::printf("\n");
}

void show_state(unsigned run) {
  static const char* const kNames[] = {"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
                                       "r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15"};
  std::printf("run %u signal %lu code %ld trap %lu error %#lx at +%ld, said to be at +%ld, of %#lx\n", run,
              g_state.fault_signal, static_cast<long>(g_state.fault_code), g_state.fault_trap,
              g_state.fault_error, static_cast<long>(g_state.fault_offset),
              static_cast<long>(g_state.fault_place), g_state.fault_address);
  for (unsigned i = 0; i < 16; ++i) std::printf("%s %#lx\n", kNames[i], g_state.registers[i]);
  std::printf("flags %#lx\n", g_state.flags);
  print_words("x87 control ", run, g_state.x87, 32);
  for (unsigned i = 0; i < 8; ++i) print_words("st", i, g_state.x87 + 32 + 16 * i, 16);
  for (unsigned i = 0; i < 32; ++i) print_words("zmm", i, g_state.vectors[i], 64);
  for (unsigned i = 0; i < 8; ++i) std::printf("k%u %#lx\n", i, g_state.masks[i]);
  for (unsigned i = 0; i < kArenaBytes; i += 64)
    print_words("memory+", i, reinterpret_cast<const uint8_t*>(kArena + i), 64);
  std::printf("faults behind which it went on %#lx\n", g_resumed_faults);
  std::printf("far memory %#lx\n", hash(0, reinterpret_cast<const void*>(kFarArena), kFarArenaBytes));
}

void map_at(uint64_t at, uint64_t bytes, int protection, int flags, int fd) {
  void* mapped = ::mmap(reinterpret_cast<void*>(at), bytes, protection, flags | MAP_FIXED_NOREPLACE, fd, 0);
  if (mapped != reinterpret_cast<void*>(at)) fail("mmap");
}

// Returns the writable mapping of the blocks' code; the executable mapping is writable only in that mode.
uint8_t* map_memory() {
  map_at(kArena, kArenaBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
  map_at(kFarArena, kFarArenaBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
  map_at(kBeyondFile, kBeyondFileBytes, PROT_READ | PROT_WRITE, MAP_SHARED, ::memfd_create("empty", 0));
  if (g_is_writable) {
    map_at(kCodeBase, kCodeBytes, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1);
    auto* code = reinterpret_cast<uint8_t*>(kCodeBase);
    std::memset(code, kTrap, kCodeBytes);
    return code;
  }
  int fd = ::memfd_create("blocks", 0);
  if (fd < 0 || ::ftruncate(fd, kCodeBytes) != 0) fail("memfd_create");
  map_at(kCodeBase, kCodeBytes, PROT_READ | PROT_EXEC, MAP_SHARED, fd);
  void* writable = ::mmap(nullptr, kCodeBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (writable == MAP_FAILED) fail("mmap");
  std::memset(writable, kTrap, kCodeBytes);
  return static_cast<uint8_t*>(writable);
}

void write_jump_to_end(uint8_t* at, uint64_t address) {
  auto displacement = static_cast<int32_t>(reinterpret_cast<uint64_t>(end_of_block) - (address + kJumpBytes));
  *at = 0xe9;
  std::memcpy(at + 1, &displacement, sizeof(displacement));
}

void print_hash() {
  uint64_t sum = hash(0, &g_state, sizeof(g_state));
  sum = hash(sum, reinterpret_cast<const void*>(kArena), kArenaBytes);
  sum = hash(sum, reinterpret_cast<const void*>(kFarArena), kFarArenaBytes);
  sum = mix(sum, g_resumed_faults);
  std::printf("%016lx %lx %lu %lx\n", sum, g_state.fault_address, g_state.fault_signal, g_state.registers[1]);
}

void write_invalid_opcode(uint8_t* at) { std::memcpy(at, "\x0f\x0b", 2); }

// A file of blocks, each copied into the program's code and followed by a jump to the end.
class Blocks {
 public:
  Blocks(const char* path, bool absent) : absent_(absent) {
    int fd = ::open(path, O_RDONLY);
    struct stat status {};
    if (fd < 0 || ::fstat(fd, &status) != 0) fail(path);
    size_ = static_cast<size_t>(status.st_size);
    file_ = static_cast<const char*>(::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, fd, 0));
  }

  // Moves to the next block. Returns false behind the last one.
  bool next() {
    if (at_ + sizeof(header_) > size_) return false;
    std::memcpy(&header_, file_ + at_, sizeof(header_));
    at_ += sizeof(header_);
    start_ = end_;
    end_ += header_.bytes + kJumpBytes;
    if (header_.bytes > size_ - at_ || end_ > kCodeBytes) return false;
    std::memcpy(writable_ + start_, file_ + at_, header_.bytes);
    write_jump_to_end(writable_ + start_ + header_.bytes, kCodeBase + start_ + header_.bytes);
    if (absent_ && header_.absent_at < header_.bytes)
      write_invalid_opcode(writable_ + start_ + header_.absent_at);
    at_ += header_.bytes;
    return true;
  }

  [[nodiscard]] bool is_left_out() const { return header_.is_left_out != 0; }

  void run(unsigned number) const {
    g_ignored_flags = header_.ignored_flags;
    g_ignored_flags_at_fault = header_.ignored_flags_at_fault;
    g_ignores_pushed_word = header_.ignores_pushed_word != 0;
    run_from(header_.seed + number, reinterpret_cast<const uint8_t*>(kCodeBase + start_ + header_.entry));
  }

 private:
  bool absent_;
  uint8_t* writable_ = map_memory();
  const char* file_ = nullptr;
  size_t size_ = 0, at_ = 0;
  uint64_t start_ = 0, end_ = 0;  // of the block, in the program's code
  BlockHeader header_{};
};

// `shown`: the number of the block to print in full; -1: print a hash of each block.
void run_file(const char* path, long shown, bool absent) {
  Blocks blocks(path, absent);
  for (long number = 0; blocks.next(); ++number) {
    for (unsigned run = 0; run < kRuns && (shown < 0 || shown == number); ++run) {
      blocks.run(run);
      shown < 0 ? print_hash() : show_state(run);
    }
  }
}

// Runs the blocks from number `begin` up to `end`, and prints nothing.
void run_range(const char* path, long begin, long end) {
  Blocks blocks(path, false);
  for (long number = 0; blocks.next() && number < end; ++number) {
    for (unsigned run = 0; run < kRuns && number >= begin && !blocks.is_left_out(); ++run) blocks.run(run);
  }
}

void run_cases() {
  map_memory();
  for (const Case* each = first_case; each != last_case; ++each) {
    for (unsigned run = 0; run < kRuns; ++run) {
      run_from(run, each->begin);
      std::printf("case %s\n", each->name);
      show_state(run);
    }
  }
}

bool processor_has_avx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
}

}  // namespace
}  // namespace hm::direct_test

int main(int count, char** words) {
  using namespace hm::direct_test;
  bool absent = false, signals = false;
  for (bool is_mode = true; is_mode && count > 1;) {
    std::string_view word = words[1];
    is_mode = word == "absent" || word == "writable" || word == "signals";
    absent |= word == "absent";
    g_is_writable |= word == "writable";
    signals |= word == "signals";
    if (is_mode) ++words, --count;
  }
  std::string_view mode = count > 1 ? words[1] : "";
  std::setvbuf(stdout, nullptr, _IOLBF, 0);  // keeps the output printed before a crash
  has_avx512 = processor_has_avx512() ? 1 : 0;
  handle_faults();
  if (signals) start_timer();
  if (mode == "hash" && count == 3) {
    run_file(words[2], -1, absent);
  } else if (mode == "show" && count == 4) {
    run_file(words[2], std::atol(words[3]), absent);
  } else if (mode == "range" && count == 5) {
    run_range(words[2], std::atol(words[3]), std::atol(words[4]));
  } else if (mode == "cases" && count == 2) {
    run_cases();
  } else {
    std::fprintf(
        stderr,
        "usage: block_runner [MODE...] hash FILE | [MODE...] show FILE N | range FILE BEGIN END | cases\n");
    return 2;
  }
}
