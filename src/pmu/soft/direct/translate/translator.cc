// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/translate/translator.h"

#include "pmu/soft/direct/core/signal_layout.h"
#include "pmu/soft/direct/decode/features.h"
#include "pmu/soft/direct/runtime/give_up.h"
#include "pmu/soft/direct/runtime/memory.h"

namespace hm::soft::direct {

namespace {

// Returns true for wrfsbase.
bool changes_fs_base(const Instruction& instruction) {
  return instruction.encoding == Encoding::kLegacy && instruction.map == 1 && instruction.opcode == 0xae &&
         instruction.prefix_f3 && (instruction.modrm & 0xf8) == 0xd0;
}

// Returns true for XSAVE, XRSTOR and their variants, whose eax does not take part in the address.
bool names_state_components(const Instruction& instruction) {
  if (instruction.encoding != Encoding::kLegacy || instruction.map != 1 || instruction.access_count == 0 ||
      instruction.accesses[0].kind != AccessKind::kState)
    return false;
  const Access& area = instruction.accesses[0];
  uint8_t extension = instruction.modrm >> 3 & 7;
  bool is_first_group = instruction.opcode == 0xae && extension >= 4 && extension <= 6;
  bool is_second_group = instruction.opcode == 0xc7 && extension >= 3 && extension <= 5;
  return (is_first_group || is_second_group) && area.base != kAx && area.index != kAx;
}

}  // namespace

Block Translator::translate(const Superblock& source) {
  Block block{};
  block.mode = plan_.mode;
  block.source = source.count != 0 ? source.steps[0].address : source.next;
  block.code = code_ = hot_.here();
  source_ = block.source;
  block_ = &source;
  block.cold = cold_code_ = cold_.here();
  auto* maps = cache_.take_steps(source.count + 1);
  if (maps == nullptr) do_without(LeaveReason::kNoMemory, "hardmeter: no memory for maps of copied code\n");
  checks_source_ = source.is_checked;
  if (source.is_checked && source.count != 0) check_source(source);
  if (touches()) touch_plan_.make(source, plan_.line_bytes);
  for (unsigned i = 0; i < source.count; ++i) {
    const Step& each = source.steps[i];
    step_number_ = i;
    maps[i] = map_here(each.address, each.flags_live);
    flags_live_behind_ = i + 1 < source.count ? source.steps[i + 1].flags_live : source.flags_live;
    step(each);
    maps[i].spills = spills_;
  }
  if (plan_.times_paths && plan_.mode == Mode::kCollecting) add_address_sources();
  close_group();
  maps[source.count] = map_here(source.next, source.flags_live);
  Flow last = source.count != 0 ? source.steps[source.count - 1].instruction.flow : Flow::kNone;
  bool goes_on = last == Flow::kNone || last == Flow::kConditionalJump || last == Flow::kCountedJump ||
                 last == Flow::kJump || last == Flow::kTrap;
  if (last == Flow::kNone && source.count != 0) report_clock(true);
  if (source.undecodable || source.queries_machine) {
    settle(hot_, true);
    emit_constant(hot_, kR10, source.next);
    hot_.store(in_core(offsetof(Core, context.ip)), kR10);
    leave(hot_, source.undecodable ? kExitUndecodable : kExitDefined);
  } else if (goes_on) {
    settle(hot_, source.flags_live);
    go_to(hot_, source.next, source.flags_live);
  }
  block.reads_flags = reads_flags(source);
  block.is_undecodable = source.count == 0 && source.undecodable;
  block.body = body_;
  block.steps = maps;
  block.step_count = source.count;
  block.hot_bytes = static_cast<uint32_t>(hot_.here() - block.code);
  block.cold_bytes = static_cast<uint32_t>(cold_.here() - block.cold);
  return block;
}

StepMap Translator::map_here(uint64_t address, bool flags_saved) const {
  return {.source = address,
          .hot = static_cast<uint32_t>(hot_.here() - code_),
          .cold = static_cast<uint32_t>(cold_.here() - cold_code_),
          .ticks = static_cast<uint16_t>(2 * progress_.slots),
          .loads = progress_.loads,
          .stores = progress_.stores,
          .flags_saved = flags_saved,
          .in_group = group_.open,
          .spills = {}};
}

Block Translator::translate_entry(uint64_t source) {
  Block block{};
  block.mode = plan_.mode;
  block.source = source;
  block.code = hot_.here();
  block.cold = cold_.here();
  emit_constant(hot_, kR10, source);
  hot_.store(in_core(offsetof(Core, context.ip)), kR10);
  leave(hot_, kExitEntry);
  block.hot_bytes = static_cast<uint32_t>(hot_.here() - block.code);
  return block;
}

// Called at the block's beginning, before any of its code except the check of its line.
void Translator::observe_heap_at(const Step& first) {
  uint32_t point = program_.heap_point(first.address);
  if (point == 0) return;
  if (first.flags_live) save_flags(hot_);
  emit_constant(hot_, kR10, first.address);
  hot_.move(kR11, uint64_t{point});
  call_thunk(hot_, kHeap);
  if (first.flags_live) restore_flags(hot_);
}

void Translator::step(const Step& each) {
  step_ = &each;
  spills_ = {};
  if (!plan_.uninstrumented) check_lines(each);
  if (step_number_ == 0) {
    look_for_sample(each);
    observe_heap_at(each);
    leave_if_restarted(each);
  }
  if (!plan_.uninstrumented) {
    count_instruction();
    ++progress_.slots;
  }
  Flow flow = each.instruction.flow;
  bool accesses_first = flow == Flow::kNone || flow == Flow::kCall || flow == Flow::kReturn;
  if (!accesses_first) close_group();
  switch (flow) {
    case Flow::kConditionalJump:
      return conditional_jump(each);
    case Flow::kCountedJump:
      return counted_jump(each);
    case Flow::kJump:
      return jump(each);
    case Flow::kCall:
      return call(each);
    case Flow::kIndirectCall:
      return indirect_call(each);
    case Flow::kIndirectJump:
      return indirect_jump(each);
    case Flow::kReturn:
      return ret(each);
    case Flow::kSystemCall:
      return system_call(each);
    case Flow::kNone:
    case Flow::kTrap:
    case Flow::kOther:
      break;
  }
  if (each.instruction.repeat != Repeat::kNone &&
      each.instruction.string_operation != StringOperation::kNone) {
    repeated_string(each);
    return;
  }
  accesses(each);
  if (is_popf(each.instruction)) leave_with_trap_flag(each);
  if (!leaves_scratch_alone(each.instruction) || changes_fs_base(each.instruction)) close_group();
  spills_ = copy(each);
  for (unsigned i = 0; i < each.instruction.access_count && !plan_.uninstrumented; ++i) {
    const Access& access = each.instruction.accesses[i];
    if (is_by_elements(access)) count_elements(access);
  }
  follow_group(each);
  if (changes_fs_base(each.instruction)) keep_fs_base();
  look_at_others(each);
}

bool Translator::is_absent(const Step& each) const {
  const AbsentFeatures& absent = plan_.absent;
  return each.address >= absent.begin && each.address < absent.end &&
         (absent.features & feature_of(each.instruction)) != 0;
}

Spills Translator::copy(const Step& each) {
  if (plan_.state_components != 0 && names_state_components(each.instruction)) return copy_limited(each);
  return copy_as_it_is(each);
}

// The instruction saves or restores at most the components in eax. Without this limit, it would write state
// of the machine's processor that the program has not provided room for.
Spills Translator::copy_limited(const Step& each) {
  constexpr uint8_t kAndEax = 0x25;
  if (each.flags_live) save_flags(hot_);
  hot_.store(in_core(offsetof(Core, state_ax)), kAx);
  hot_.byte(kAndEax);
  hot_.word32(plan_.state_components);
  Spills spills = copy_as_it_is(each);
  hot_.load(kAx, in_core(offsetof(Core, state_ax)));
  if (each.flags_live) restore_flags(hot_);
  return spills;
}

Spills Translator::copy_as_it_is(const Step& each) {
  auto from = static_cast<uint32_t>(hot_.here() - code_);
  RestartableSequence sequence;
  Spills spills;
  if (is_absent(each)) {
    Absent absent;
    spills = copy_instruction(hot_, each, absent);
  } else if (stores_in_sequence(each, sequence)) {
    spills = copy_in_sequence(each, sequence);
  } else {
    Bare bare;
    spills = copy_instruction(hot_, each, bare);
  }
  spills.from = from;
  return spills;
}

// A popf that sets the trap flag runs natively, because copied code must not run under the trap flag. If it
// sets the alignment check flag, the core notes it (switch.S). Status flags need not be preserved, because
// popf loads them all.
void Translator::leave_with_trap_flag(const Step& popf) {
  close_group();
  hot_.code(0xf6, 0x44, 0x24, 0x01, kTrapFlag >> 8);  // test byte [rsp + 1], TF
  Emitter::land(hot_.jump_if(Condition::kNotEqual), cold_.here());
  settle_aside(cold_, true);
  emit_constant(cold_, kR10, popf.address);
  cold_.store(in_core(offsetof(Core, context.ip)), kR10);
  leave(cold_, kExitTrapFlag);
  hot_.code(0xf6, 0x44, 0x24, 0x02, kAlignmentCheckFlag >> 16);  // test byte [rsp + 2], AC
  Emitter::land(hot_.jump_if(Condition::kNotEqual), cold_.here());
  cold_.store32(in_core(offsetof(Core, checks_alignment)), 1);
  cold_.jump_to(hot_.here());
}

// Saves the FS base in the core, for address computations.
void Translator::keep_fs_base() {
  hot_.code(0xf3, 0x49, 0x0f, 0xae, 0xc2);  // rdfsbase r10
  hot_.store(in_core(offsetof(Core, context.fs_base)), kR10);
}

// A `pause` means that the program waits for another thread or process. Invalidations by other processes are
// applied when the models are called, and a loop of passing accesses would not call them. The call is behind
// the pause, where a thread is most likely to be when the host gives its CPU to another thread.
void Translator::look_at_others(const Step& each) {
  const auto* code = reinterpret_cast<const uint8_t*>(each.address);
  bool is_pause = each.instruction.length == 2 && code[0] == 0xf3 && code[1] == 0x90;
  if (plan_.uninstrumented || !is_pause || !program_.has_common_memory()) return;
  close_group();
  if (each.flags_live) save_flags(hot_);
  hot_.move(kR11, uint64_t{0});
  call_thunk(hot_, kPause);
  if (each.flags_live) restore_flags(hot_);
}

void Translator::accesses(const Step& each) {
  for (unsigned i = 0; i < each.instruction.access_count; ++i)
    access(each.instruction.accesses[i], each.flags_live);
}

}  // namespace hm::soft::direct
