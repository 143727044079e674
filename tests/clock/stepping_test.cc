// SPDX-License-Identifier: MIT
// Single-steps real programs. The instruction attributed to each address from its registers must be the one
// executed before, and the data address the one computed from the registers before.
#include <Zydis/Zydis.h>
#include <asm/perf_regs.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>

#include "stepped_process.h"
#include "symbol/code/waiting.h"
#include "symbol/file_resolver.h"

namespace hm::clock_test {
namespace {

constexpr uint64_t kSteps = 100'000;

symbol::RegisterValues values_of(const user_regs_struct& from) {
  symbol::RegisterValues to;
  const std::pair<unsigned, uint64_t> all[] = {
      {PERF_REG_X86_AX, from.rax},  {PERF_REG_X86_BX, from.rbx},  {PERF_REG_X86_CX, from.rcx},
      {PERF_REG_X86_DX, from.rdx},  {PERF_REG_X86_SI, from.rsi},  {PERF_REG_X86_DI, from.rdi},
      {PERF_REG_X86_BP, from.rbp},  {PERF_REG_X86_SP, from.rsp},  {PERF_REG_X86_IP, from.rip},
      {PERF_REG_X86_R8, from.r8},   {PERF_REG_X86_R9, from.r9},   {PERF_REG_X86_R10, from.r10},
      {PERF_REG_X86_R11, from.r11}, {PERF_REG_X86_R12, from.r12}, {PERF_REG_X86_R13, from.r13},
      {PERF_REG_X86_R14, from.r14}, {PERF_REG_X86_R15, from.r15}, {PERF_REG_X86_FLAGS, from.eflags}};
  for (auto [number, value] : all) to.set(number, value);
  return to;
}

ZydisRegisterContext zydis_context(const user_regs_struct& from) {
  ZydisRegisterContext to{};
  const std::pair<ZydisRegister, uint64_t> all[] = {
      {ZYDIS_REGISTER_RAX, from.rax}, {ZYDIS_REGISTER_RBX, from.rbx}, {ZYDIS_REGISTER_RCX, from.rcx},
      {ZYDIS_REGISTER_RDX, from.rdx}, {ZYDIS_REGISTER_RSI, from.rsi}, {ZYDIS_REGISTER_RDI, from.rdi},
      {ZYDIS_REGISTER_RBP, from.rbp}, {ZYDIS_REGISTER_RSP, from.rsp}, {ZYDIS_REGISTER_R8, from.r8},
      {ZYDIS_REGISTER_R9, from.r9},   {ZYDIS_REGISTER_R10, from.r10}, {ZYDIS_REGISTER_R11, from.r11},
      {ZYDIS_REGISTER_R12, from.r12}, {ZYDIS_REGISTER_R13, from.r13}, {ZYDIS_REGISTER_R14, from.r14},
      {ZYDIS_REGISTER_R15, from.r15}};
  for (auto [name, value] : all) {
    to.values[name] = value;
    auto narrow = static_cast<ZydisRegister>(ZYDIS_REGISTER_EAX + (name - ZYDIS_REGISTER_RAX));
    to.values[narrow] = static_cast<uint32_t>(value);
  }
  return to;
}

// Returns the addresses that an instruction accesses, computed by Zydis from the registers before it.
std::vector<uint64_t> true_addresses(Bytes code, const user_regs_struct& before) {
  ZydisDecoder decoder;
  ZydisDecodedInstruction instruction;
  std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> operands;
  (void)ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  if (!ZYAN_SUCCESS(
          ZydisDecoderDecodeFull(&decoder, code.data(), code.size(), &instruction, operands.data())))
    return {};
  std::vector<uint64_t> addresses;
  ZydisRegisterContext context = zydis_context(before);
  for (size_t i = 0; i < instruction.operand_count; ++i) {
    const ZydisDecodedOperand& operand = operands[i];
    if (operand.type != ZYDIS_OPERAND_TYPE_MEMORY) continue;
    bool pushes = instruction.meta.category == ZYDIS_CATEGORY_PUSH &&
                  operand.visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN;
    ZyanU64 address = 0;
    if (instruction.mnemonic == ZYDIS_MNEMONIC_LEAVE)
      addresses.push_back(before.rbp);
    else if (pushes)
      addresses.push_back(before.rsp - operand.size / 8);
    else if (ZYAN_SUCCESS(ZydisCalcAbsoluteAddressEx(&instruction, &operand, before.rip, &context, &address)))
      addresses.push_back(address);
  }
  return addresses;
}

// Counts the attributed instructions, and reports wrong ones.
class Judge {
 public:
  explicit Judge(SteppedProcess& process) : process_(process) {}

  void judge(const user_regs_struct& before, const user_regs_struct& after) {
    std::optional<MappedFile> file = process_.file_at(after.rip);
    if (!file || !process_.file_at(before.rip)) return;
    const symbol::Object& object = resolver_.object(file->path, "");
    uint64_t offset = after.rip - file->start + file->file_offset;
    std::optional<uint64_t> address = object.address_of(offset);
    if (!address || is_cpuid(object, *address - (after.rip - before.rip))) return;
    ++steps;
    symbol::RegisterValues registers = values_of(after);
    symbol::Waiting waiting = symbol::waiting_at(place(file->path, object, *address), registers, after.rip);
    if (waiting.arrival == nullptr) {
      ++undetermined[waiting.undetermined];
      return;
    }
    const symbol::Way& way = waiting.arrival->way;
    ++told;
    EXPECT_EQ(after.rip - (*address - way.from), before.rip) << file->path << " at " << std::hex << *address;
    judge_address(waiting.arrival->access, registers, code_of(object, way.from, way.length), before);
  }

  uint64_t steps = 0;
  uint64_t told = 0;
  uint64_t accesses = 0;
  uint64_t addresses = 0;
  std::map<symbol::Undetermined, uint64_t> undetermined;

 private:
  // A hypervisor emulates cpuid, and some then lose the trap behind it: the step ends an instruction later.
  static bool is_cpuid(const symbol::Object& object, uint64_t address) {
    constexpr std::array kCpuid = {std::byte{0x0f}, std::byte{0xa2}};
    return std::ranges::equal(code_of(object, address, kCpuid.size()), kCpuid);
  }

  static Bytes code_of(const symbol::Object& object, uint64_t address, uint64_t size) {
    Result<Bytes> code = object.code(address, size);
    return code.ok() ? *code : Bytes();
  }

  const symbol::Predecessors& place(const std::string& path, const symbol::Object& object, uint64_t address) {
    auto [found, is_new] = known_.try_emplace(path + '\0' + std::to_string(address));
    if (is_new) found->second = object.predecessors_at(address);
    return found->second;
  }

  void judge_address(const symbol::DataAccess& access, const symbol::RegisterValues& registers, Bytes code,
                     const user_regs_struct& before) {
    if (!access.any()) return;
    ++accesses;
    std::optional<uint64_t> computed = symbol::address_of(access, registers);
    if (!computed) return;
    ++addresses;
    std::vector<uint64_t> expected = true_addresses(code, before);
    EXPECT_NE(std::ranges::find(expected, *computed), expected.end())
        << std::hex << *computed << " at ip " << before.rip;
  }

  SteppedProcess& process_;
  symbol::FileResolver resolver_;
  std::unordered_map<std::string, symbol::Predecessors> known_;
};

void step_through(const std::vector<std::string>& command, uint64_t skip) {
  SteppedProcess process(command);
  if (!process.stopped())
    GTEST_SKIP() << "cannot trace " << command[0] << ": it is missing, or ptrace(2) is not allowed";
  for (uint64_t i = 0; i < skip && process.step(); ++i) {
  }
  ASSERT_TRUE(process.stopped()) << command[0] << " ended before it was looked at";
  Judge judge(process);
  user_regs_struct before = process.registers();
  for (uint64_t i = 0; i < kSteps && !::testing::Test::HasFailure() && process.step(); ++i) {
    user_regs_struct after = process.registers();
    judge.judge(before, after);
    before = after;
  }
  auto set = [](const std::string& name, uint64_t value) {
    ::testing::Test::RecordProperty(name, std::to_string(value));
    std::printf("  %s %lu\n", name.c_str(), static_cast<unsigned long>(value));
  };
  set("steps", judge.steps);
  set("told", judge.told);
  set("accesses", judge.accesses);
  set("addresses", judge.addresses);
  for (auto [reason, count] : judge.undetermined) set(std::string(symbol::name_of(reason)), count);
  EXPECT_GT(judge.steps, 1000u);
  EXPECT_GT(judge.told * 10, judge.steps * 6);
  EXPECT_GT(judge.addresses * 10, judge.accesses * 6);
}

// The dynamic linker's relocations and the C library's start.
TEST(Stepping, ProgramStart) { step_through({"/bin/true"}, 0); }

TEST(Stepping, Perl) {
  step_through({"perl", "-e", "my %h; $h{$_ % 97} .= \"$_,\" for 1..9999; print sort values %h"}, 200'000);
}

TEST(Stepping, Sqlite) {
  step_through(
      {"sqlite3", "-batch", ":memory:",
       "create table t(a, b); with recursive n(i) as (select 1 union all select i + 1 from n where i < 999) "
       "insert into t select i, i * 7919 % 1009 from n; create index x on t(b); select sum(a) from t "
       "where b in (select a from t where b < 500) group by b % 10 order by 1"},
      300'000);
}

}  // namespace
}  // namespace hm::clock_test
