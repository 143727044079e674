// SPDX-License-Identifier: MIT
// Restartable sequences (restartable_sequence.h). The kernel clears the descriptor in the thread's rseq area
// when it interrupts the thread, because the instruction pointer is outside of the program's sequence. So
// each block of a sequence first looks whether the descriptor is still there. Each storing instruction
// becomes a sequence of its own, whose descriptor takes the place of the program's by a compare and exchange:
// if the kernel clears it before, the exchange fails; if the kernel interrupts the thread afterwards, it
// continues at the abort address of the small sequence. Both lead to the abort address of the program's
// sequence.
#include "pmu/soft/direct/core/thread.h"
#include "pmu/soft/direct/runtime/give_up.h"
#include "pmu/soft/direct/runtime/memory.h"
#include "pmu/soft/direct/translate/translator.h"

namespace hm::soft::direct {
namespace {

constexpr uint64_t kSaves = offsetof(Core, restart);
constexpr uint64_t kSavedDescriptor = kSaves + offsetof(RestartSaves, descriptor);

Memory descriptor_at(Reg area) { return {area, kNoReg, 1, static_cast<int32_t>(kDescriptorField), false}; }

// Emits: to = the running thread's rseq area.
void emit_area(Emitter& out, Reg to) {
  out.load(to, in_core(offsetof(Core, thread)));
  out.load(to, {to, kNoReg, 1, static_cast<int32_t>(offsetof(Thread, restart_area)), false});
}

// seto al; lahf
void save(Emitter& out) {
  out.store(in_core(kSaves + offsetof(RestartSaves, ax)), kAx);
  out.store(in_core(kSaves + offsetof(RestartSaves, cx)), kCx);
  out.store(in_core(kSaves + offsetof(RestartSaves, dx)), kDx);
  out.code(0x0f, 0x90, 0xc0, 0x9f);
  out.store(in_core(kSaves + offsetof(RestartSaves, flags)), kAx);
}

// add al, 127; sahf
void restore(Emitter& out) {
  out.load(kAx, in_core(kSaves + offsetof(RestartSaves, flags)));
  out.code(0x04, 0x7f, 0x9e);
  out.load(kDx, in_core(kSaves + offsetof(RestartSaves, dx)));
  out.load(kCx, in_core(kSaves + offsetof(RestartSaves, cx)));
  out.load(kAx, in_core(kSaves + offsetof(RestartSaves, ax)));
}

void exchange_descriptor(Emitter& out) {
  out.code(0x48, 0x0f, 0xb1, 0x4a, kDescriptorField);
}  // with [rdx + 8]

// Makes one instruction a sequence of its own, with the descriptor `own`.
class OwnSequence final : public Enclosure {
 public:
  explicit OwnSequence(RestartDescriptor& own) : own_(own) {}

  void before(Emitter& out) override {
    save(out);
    emit_area(out, kDx);
    out.test(kDx);
    uint8_t* unregistered = out.jump_if(Condition::kEqual);
    out.load(kAx, descriptor_at(kDx));
    out.test(kAx);
    cleared_ = out.jump_if(Condition::kEqual);
    out.store(in_core(kSavedDescriptor), kAx);
    emit_constant(out, kCx, reinterpret_cast<uint64_t>(&own_));
    exchange_descriptor(out);
    own_.start = reinterpret_cast<uint64_t>(out.here());
    cleared_late_ = out.jump_if(Condition::kNotEqual);
    Emitter::land(unregistered, out.here());
    restore(out);
  }

  void behind(Emitter& out) override {
    own_.bytes = reinterpret_cast<uint64_t>(out.here()) - own_.start;
    save(out);
    emit_area(out, kDx);
    out.test(kDx);
    uint8_t* unregistered = out.jump_if(Condition::kEqual);
    emit_constant(out, kAx, reinterpret_cast<uint64_t>(&own_));
    out.load(kCx, in_core(kSavedDescriptor));
    exchange_descriptor(out);  // fails if the kernel has cleared it, which the next block or store notices
    Emitter::land(unregistered, out.here());
    restore(out);
  }

  // The kernel and the jumps in before() lead to `code`.
  void abort_at(uint8_t* code) {
    own_.abort = reinterpret_cast<uint64_t>(code);
    Emitter::land(cleared_, code);
    Emitter::land(cleared_late_, code);
  }

 private:
  RestartDescriptor& own_;
  uint8_t* cleared_ = nullptr;
  uint8_t* cleared_late_ = nullptr;
};

// The kernel accepts an abort address only behind the signature. These bytes with it are the instruction ud1.
void emit_signature(Emitter& out, uint32_t signature) {
  out.code(0x0f, 0xb9, 0x3d);
  out.word32(signature);
}

}  // namespace

// Emits cold code that leaves for the sequence's abort address.
void Translator::restart(const RestartableSequence& sequence) {
  settle_aside(cold_, true);
  emit_constant(cold_, kR10, sequence.abort);
  cold_.store(in_core(offsetof(Core, context.ip)), kR10);
  leave(cold_, kExitElsewhere);
}

// Called at the block's beginning. A sequence that loops must not go on either.
void Translator::leave_if_restarted(const Step& first) {
  RestartableSequence sequence;
  if (!program_.has_sequences() || !program_.find_sequence(first.address, sequence)) return;
  if (first.flags_live) save_flags(hot_);
  emit_area(hot_, kR10);
  hot_.test(kR10);
  uint8_t* unregistered = hot_.jump_if(Condition::kEqual);
  hot_.load(kR10, descriptor_at(kR10));
  hot_.test(kR10);
  Emitter::land(hot_.jump_if(Condition::kEqual), cold_.here());
  Emitter::land(unregistered, hot_.here());
  if (first.flags_live) restore_flags(hot_);
  if (first.flags_live) restore_flags(cold_);
  restart(sequence);
}

bool Translator::stores_in_sequence(const Step& each, RestartableSequence& sequence) const {
  if (!program_.has_sequences()) return false;
  bool stores = false;
  for (unsigned i = 0; i < each.instruction.access_count; ++i) stores |= each.instruction.accesses[i].stores;
  return stores && program_.find_sequence(each.address, sequence);
}

Spills Translator::copy_in_sequence(const Step& each, const RestartableSequence& sequence) {
  auto* own = take<RestartDescriptor>();
  if (own == nullptr)
    do_without(LeaveReason::kNoMemory, "hardmeter: no memory for the tables of copied code\n");
  OwnSequence enclosure(*own);
  Spills spills = copy_instruction(hot_, each, enclosure);
  emit_signature(cold_, program_.abort_signature());
  enclosure.abort_at(cold_.here());
  restore(cold_);
  if (spills.stand_in != kNoReg) cold_.load(spills.stand_in, in_core(offsetof(Core, spilled)));
  if (spills.base != kNoReg) cold_.load(spills.base, in_core(offsetof(Core, spilled_base)));
  restart(sequence);
  return spills;
}

}  // namespace hm::soft::direct
