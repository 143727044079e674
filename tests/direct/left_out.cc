// SPDX-License-Identifier: MIT
#include "left_out.h"

#include <algorithm>

namespace hm::direct_test {
namespace {

struct LeftOut {
  ZydisMnemonic mnemonic;
  const char* reason;
};

constexpr const char* kClock = "reads a clock";
constexpr const char* kRandomNumber = "returns a random number";
constexpr const char* kProcessorNumber = "depends on the processor that the thread runs on";
constexpr const char* kIdentification = "the operating system or a hypervisor may answer for the processor";
constexpr const char* kSystemCall = "is a system call, with random registers";
constexpr const char* kStateInUse = "depends on the state components in use, which the kernel may change";
constexpr const char* kX87Addresses = "stores the address of the last x87 instruction, which is its copy's";
constexpr const char* kWaits = "may wait";
constexpr const char* kTransaction = "a transaction may abort at any time";
constexpr const char* kRights = "changes the access rights of the runner's own memory";
constexpr const char* kSegments = "moves the segment by which the C library finds the thread's data";
constexpr const char* kTiles =
    "needs a permission of the kernel, and leaves state that the runner does not reset";

constexpr const char* kGs = "ends the measurement: the process continues natively";

constexpr LeftOut kLeftOut[] = {
    {ZYDIS_MNEMONIC_RDTSC, kClock},           {ZYDIS_MNEMONIC_RDTSCP, kClock},
    {ZYDIS_MNEMONIC_RDPMC, kClock},           {ZYDIS_MNEMONIC_RDPRU, kClock},
    {ZYDIS_MNEMONIC_RDRAND, kRandomNumber},   {ZYDIS_MNEMONIC_RDSEED, kRandomNumber},
    {ZYDIS_MNEMONIC_RDPID, kProcessorNumber}, {ZYDIS_MNEMONIC_LSL, kProcessorNumber},
    {ZYDIS_MNEMONIC_CPUID, kIdentification},  {ZYDIS_MNEMONIC_SGDT, kIdentification},
    {ZYDIS_MNEMONIC_SIDT, kIdentification},   {ZYDIS_MNEMONIC_SLDT, kIdentification},
    {ZYDIS_MNEMONIC_SMSW, kIdentification},   {ZYDIS_MNEMONIC_STR, kIdentification},
    {ZYDIS_MNEMONIC_XGETBV, kStateInUse},     {ZYDIS_MNEMONIC_SYSCALL, kSystemCall},
    {ZYDIS_MNEMONIC_SYSENTER, kSystemCall},   {ZYDIS_MNEMONIC_VMCALL, kSystemCall},
    {ZYDIS_MNEMONIC_VMMCALL, kSystemCall},    {ZYDIS_MNEMONIC_XSAVE, kStateInUse},
    {ZYDIS_MNEMONIC_XSAVE64, kStateInUse},    {ZYDIS_MNEMONIC_XSAVEC, kStateInUse},
    {ZYDIS_MNEMONIC_XSAVEC64, kStateInUse},   {ZYDIS_MNEMONIC_XSAVEOPT, kStateInUse},
    {ZYDIS_MNEMONIC_XSAVEOPT64, kStateInUse}, {ZYDIS_MNEMONIC_FNSAVE, kX87Addresses},
    {ZYDIS_MNEMONIC_FNSTENV, kX87Addresses},  {ZYDIS_MNEMONIC_FXSAVE, kX87Addresses},
    {ZYDIS_MNEMONIC_FXSAVE64, kX87Addresses}, {ZYDIS_MNEMONIC_MONITORX, kWaits},
    {ZYDIS_MNEMONIC_MWAITX, kWaits},          {ZYDIS_MNEMONIC_UMONITOR, kWaits},
    {ZYDIS_MNEMONIC_UMWAIT, kWaits},          {ZYDIS_MNEMONIC_TPAUSE, kWaits},
    {ZYDIS_MNEMONIC_XBEGIN, kTransaction},    {ZYDIS_MNEMONIC_XABORT, kTransaction},
    {ZYDIS_MNEMONIC_WRPKRU, kRights},         {ZYDIS_MNEMONIC_LDTILECFG, kTiles},
    {ZYDIS_MNEMONIC_LFS, kSegments},          {ZYDIS_MNEMONIC_LGS, kSegments},
    {ZYDIS_MNEMONIC_RDGSBASE, kGs},           {ZYDIS_MNEMONIC_WRGSBASE, kGs},
};

constexpr uint8_t kSystemCallInterrupt = 0x80;

// pop %fs, mov to %fs, and the same of %gs.
bool loads_thread_segment(const ZydisDecodedInstruction& instruction) {
  const auto& raw = instruction.raw;
  bool pop = instruction.opcode_map == ZYDIS_OPCODE_MAP_0F &&
             (instruction.opcode == 0xa1 || instruction.opcode == 0xa9);
  bool move = instruction.opcode_map == ZYDIS_OPCODE_MAP_DEFAULT && instruction.opcode == 0x8e &&
              (raw.modrm.reg == 4 || raw.modrm.reg == 5);
  return pop || move;
}

// `enter` with prefix GS, which it ignores: the engine sees the prefix only.
bool enters_with_gs_prefix(const ZydisDecodedInstruction& instruction) {
  constexpr uint8_t kGsPrefix = 0x65;
  if (instruction.mnemonic != ZYDIS_MNEMONIC_ENTER) return false;
  return std::any_of(instruction.raw.prefixes, instruction.raw.prefixes + instruction.raw.prefix_count,
                     [](const auto& each) { return each.value == kGsPrefix; });
}

}  // namespace

const char* reason_to_leave_out(const ZydisDecodedInstruction& instruction) {
  for (const LeftOut& each : kLeftOut) {
    if (each.mnemonic == instruction.mnemonic) return each.reason;
  }
  if (instruction.mnemonic == ZYDIS_MNEMONIC_INT && instruction.raw.imm[0].value.u == kSystemCallInterrupt)
    return kSystemCall;
  if (loads_thread_segment(instruction)) return kSegments;
  if (enters_with_gs_prefix(instruction)) return kGs;
  if ((instruction.attributes & ZYDIS_ATTRIB_HAS_SEGMENT_GS) != 0) return kGs;
  return nullptr;
}

const char* reason_to_leave_out(const std::vector<uint8_t>& unknown) {
  constexpr uint8_t kGsPrefix = 0x65;
  return std::ranges::find(unknown, kGsPrefix) != unknown.end() ? kGs : nullptr;
}

}  // namespace hm::direct_test
