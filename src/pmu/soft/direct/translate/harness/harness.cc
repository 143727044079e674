// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/translate/harness/harness.h"

#include <asm/prctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <utility>

#include "model/arena.h"
#include "pmu/soft/direct/translate/translator.h"
#include "pmu/soft/sampling/modelled_core.h"

extern "C" {
void translate_run(hm::soft::direct::State* state, const void* code);
void translate_end();
extern const void* const translate_thunks[hm::soft::direct::kThunks];
extern uint64_t translate_calls;
extern const hm::soft::direct::CallOut translate_log[4096];
extern const hm::soft::direct::Case translate_cases[], translate_cases_end[];
}

namespace hm::soft::direct {
namespace {

constexpr uint64_t kCoreBytes =
    kTouchTableOffset + touch_table_bytes(model::log2_of(Translation::kLineBytes));
constexpr model::SetGeometry kL1d{64, 8}, kDataTlb{16, 4};

void* map_zeroed(uint64_t bytes) {
  void* mapped =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  EXPECT_NE(mapped, MAP_FAILED);
  return mapped;
}

// Maps memory from which a direct jump reaches the end of runs. The memory is below that end, because a jump
// back may be a loop.
uint64_t map_near_end(uint64_t bytes) {
  constexpr uint64_t kStep = 64u << 20;
  uint64_t base = reinterpret_cast<uint64_t>(&translate_end) & ~(kStep - 1);
  for (uint64_t away = kStep; away < 16 * kStep; away += kStep) {
    void* at = reinterpret_cast<void*>(base - away);
    void* mapped = mmap(at, bytes, PROT_READ | PROT_WRITE | PROT_EXEC,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (mapped == at) return base - away;
  }
  ADD_FAILURE() << "no memory near the test's code";
  return 0;
}

}  // namespace

Translation::Translation()
    : core_(static_cast<Core*>(map_zeroed(kCoreBytes))), first_data_(kDataBytes), engine_stack_(64u << 10) {
  program_.begin = next_code_ = map_near_end(kCodeBytes + kDataBytes);
  program_.end = program_.begin + kCodeBytes;
  std::mt19937_64 random(1);
  for (uint8_t& each : first_data_) each = static_cast<uint8_t>(random());

  plan_.mode = Mode::kCollecting;
  plan_.demand.data = plan_.demand.code = true;
  plan_.line_bytes = kLineBytes;
  plan_.line_shift = model::log2_of(kLineBytes);
  plan_.page_shift = 12;
  plan_.lines_per_page = 4096 / kLineBytes;
  plan_.hint_bits = model::log2_of(model::filter_hints(kL1d));

  model::FilterTables tables = core_->filters.tables(kDataOffset, kCodeOffset);
  model::Arena measure;
  model::DataFilter(tables, kL1d, kDataTlb, plan_.line_shift, measure);
  filter_memory_.resize(measure.used_bytes() + 64);
  auto block = reinterpret_cast<uint64_t>(filter_memory_.data() + 63) & ~uint64_t{63};
  model::Arena arena(reinterpret_cast<void*>(block));
  filter_ = model::DataFilter(tables, kL1d, kDataTlb, plan_.line_shift, arena);

  core_->self = core_;
  std::copy_n(const_cast<void**>(translate_thunks), unsigned{kThunks}, core_->thunks);
  uint64_t stack_end = reinterpret_cast<uint64_t>(engine_stack_.data() + engine_stack_.size());
  core_->engine_stack = stack_end & ~uint64_t{63};
  for (auto& of_mode : core_->indirect) {
    for (IndirectTarget& each : of_mode) each.target = 1;
  }
  syscall(SYS_arch_prctl, ARCH_SET_GS, core_);
}

Translation::~Translation() {
  syscall(SYS_arch_prctl, ARCH_SET_GS, 0);
  munmap(core_, kCoreBytes);
  munmap(reinterpret_cast<void*>(program_.begin), kCodeBytes + kDataBytes);
}

uint64_t Translation::put(std::span<const uint8_t> code) {
  uint64_t at = next_code_;
  std::memcpy(reinterpret_cast<void*>(at), code.data(), code.size());
  next_code_ = (at + code.size() + 2 * kLineBytes) & ~uint64_t{kLineBytes - 1};
  EXPECT_LT(next_code_, program_.end);
  return at;
}

uint64_t Translation::put_ending(std::span<const uint8_t> code) {
  constexpr unsigned kJumpBytes = 5;
  std::vector<uint8_t> bytes(code.begin(), code.end());
  uint64_t behind = next_code_ + bytes.size() + kJumpBytes;
  auto displacement = static_cast<uint32_t>(reinterpret_cast<uint64_t>(&translate_end) - behind);
  bytes.push_back(0xe9);
  for (unsigned i = 0; i < 4; ++i) bytes.push_back(static_cast<uint8_t>(displacement >> 8 * i));
  return put(bytes);
}

Block& Translation::copy(uint64_t source, Mode mode, bool exact_flags) {
  if (Block* known = cache_.find_block(source, mode)) return *known;
  plan_.mode = mode;
  plan_.uninstrumented = mode == Mode::kUninstrumented;
  Superblock block{};
  read_superblock(program_, cache_, source, mode, exact_flags, block);
  Translator translator(plan_, cache_, cache_.arena_near(source), program_);
  return *cache_.add_block(translator.translate(block));
}

State Translation::random_state(uint64_t seed) {
  std::mt19937_64 random(seed);
  State state{};
  for (uint64_t& each : state.registers) each = random();
  for (auto& each : state.vectors) {
    for (uint8_t& byte : each) byte = static_cast<uint8_t>(random());
  }
  state.registers[kSi] = data() + 1024 + 8 * (random() % 16);
  state.registers[kBx] = data() + 2048 + random() % 64;
  state.registers[kDi] = data() + 3072 + 8 * (random() % 16);
  state.registers[kBp] = data() + 4096 + 8 * (random() % 16);
  state.registers[kSp] = data() + kDataBytes / 2;
  state.flags = 0x202 | (random() & kStatusFlags);
  return state;
}

Left Translation::run(uint64_t code, const State& from) {
  std::memcpy(reinterpret_cast<void*>(data()), first_data_.data(), kDataBytes);
  Left left{.state = from, .data = {}, .calls = {}};
  translate_calls = 0;
  translate_run(&left.state, reinterpret_cast<const void*>(code));
  const auto* bytes = reinterpret_cast<const uint8_t*>(data());
  left.data.assign(bytes, bytes + kDataBytes);
  left.calls.assign(translate_log, translate_log + translate_calls);
  return left;
}

void Translation::put_sequence(uint64_t start, uint64_t end) {
  std::vector<uint8_t> abort(sizeof(kSignature) + 1, 0x90);
  std::memcpy(abort.data(), &kSignature, sizeof(kSignature));
  descriptor_ = {.version = 0,
                 .flags = 0,
                 .start = start,
                 .bytes = end - start,
                 .abort = put(abort) + sizeof(kSignature)};
  program_.sequences.begin(kSignature);
  EXPECT_TRUE(program_.sequences.learn(reinterpret_cast<uint64_t>(&descriptor_)));
  area_.descriptor = reinterpret_cast<uint64_t>(&descriptor_);
  thread_.restart_area = reinterpret_cast<uint64_t>(&area_);
  core_->thread = &thread_;
}

Left Translation::run_original(uint64_t source, const State& from) { return run(source, from); }

Left Translation::run_copy(const Block& block, const State& from) {
  for (Reg each : {kR10, kR11, kR15}) core_->context.registers[each] = from.registers[each];
  core_->loads = core_->stores = 0;
  core_->context.ip = 0;
  State entered = from;
  entered.registers[kR10] = entered.registers[kR11] = 0xdeadbeefdeadbeef;
  entered.registers[kR15] = kFirstTick;
  Left left = run(reinterpret_cast<uint64_t>(block.code), entered);
  left.exit = static_cast<uint32_t>(left.state.registers[kR10]);
  left.target = left.exit >= kFirstExit ? cache_.target_of_exit(left.exit) : core_->context.ip;
  left.ticks = left.state.registers[kR15] - kFirstTick;
  left.loads = core_->loads;
  left.stores = core_->stores;
  for (Reg each : {kR10, kR11, kR15}) left.state.registers[each] = core_->context.registers[each];
  return left;
}

void Translation::make_resident(uint64_t address, uint64_t bytes, bool may_write) {
  for (uint64_t line = address / kLineBytes; line <= (address + bytes - 1) / kLineBytes; ++line)
    filter_.put(line, places_++, 0, may_write);
}

uint64_t Translation::stamp_of(uint64_t address) const {
  for (uint32_t i = 0; i < places_; ++i) {
    if (core_->filters.data[i].passing == (address & ~uint64_t{kLineBytes - 1}))
      return core_->filters.data[i].stamp;
  }
  return 0;
}

std::set<uint64_t> Translation::take_touched_lines() {
  TouchStamp* table = touch_table(*core_);
  std::set<uint64_t> lines;
  for (uint64_t line = data() / kLineBytes; line < (data() + kDataBytes) / kLineBytes; ++line) {
    if (std::exchange(table[line], 0) != 0) lines.insert(line);
  }
  return lines;
}

std::string difference(const Left& original, const Left& copy, uint64_t flags) {
  constexpr const char* kNames[] = {"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
                                    "r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15"};
  for (unsigned i = 0; i < 16; ++i) {
    if (original.state.registers[i] != copy.state.registers[i]) return kNames[i];
  }
  if (((original.state.flags ^ copy.state.flags) & flags) != 0) return "flags";
  for (unsigned i = 0; i < 16; ++i) {
    if (std::memcmp(original.state.vectors[i], copy.state.vectors[i], 16) != 0)
      return "xmm" + std::to_string(i);
  }
  auto [left, right] = std::ranges::mismatch(original.data, copy.data);
  if (left != original.data.end()) return "data at " + std::to_string(left - original.data.begin());
  return {};
}

std::span<const Case> cases() { return {translate_cases, translate_cases_end}; }

}  // namespace hm::soft::direct
