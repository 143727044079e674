// SPDX-License-Identifier: MIT
// Checks. An access or fetch that the filters let pass changes only the time of a line's last use
// (model/data_filter.h, model/code_filter.h). Copied code writes that time inline.
#include "pmu/soft/direct/core/core_offsets.h"
#include "pmu/soft/direct/core/string_plan.h"
#include "pmu/soft/direct/runtime/give_up.h"
#include "pmu/soft/direct/runtime/memory.h"
#include "pmu/soft/direct/translate/translator.h"

namespace hm::soft::direct {
namespace {

using DataKind = record::AccessKind;

AccessInfo info_of(const Access& access) {
  if (access.kind == AccessKind::kPrefetch) return {access.bytes, DataKind::kPrefetch, false};
  if (access.kind == AccessKind::kFlush) return {access.bytes, DataKind::kFlush, false};
  constexpr uint32_t kStateBytes = 832;  // size of the xsave family's state with AVX; the instruction has no
                                         // size
  DataKind kind = access.locked  ? DataKind::kReadModifyWrite
                  : access.loads ? DataKind::kLoad
                                 : DataKind::kStore;
  return {access.bytes == 0 ? kStateBytes : access.bytes, kind, access.locked,
          kind == DataKind::kLoad && access.stores};
}

// Returns the load of an instruction that saves state: the first word of the area's header (Intel SDM volume
// 1, section 13.4.2).
Access header_of(Access state) {
  constexpr int64_t kHeaderOffset = 512;
  state.displacement += kHeaderOffset;
  state.bytes = sizeof(uint64_t);
  state.stores = false;
  return state;
}

}  // namespace

void Translator::check_lines(const Step& each) {
  if (!plan_.demand.code && !plan_.touches_code) return;
  uint64_t first = each.address >> plan_.line_shift;
  uint64_t last = (each.next() - 1) >> plan_.line_shift;
  for (uint64_t line = first; line <= last; ++line) {
    if (line == current_line_) continue;
    current_line_ = line;
    if (touches())
      touch_code_line(line);
    else
      check_line(line, 2u * progress_.slots + (line != first ? 1 : 0), each.flags_live);
    if (++lines_ == 1) body_ = static_cast<uint32_t>(hot_.here() - code_);
  }
}

void Translator::check_line(uint64_t line, unsigned ticks, bool flags_live) {
  close_group();
  uint32_t page = program_.code_page_offset(line << plan_.line_shift);
  if (page == 0) return;  // more code than can be modelled
  auto index = static_cast<uint32_t>(line) & (plan_.lines_per_page - 1);
  if (flags_live) save_flags(hot_);
  hot_.load32(kR10, in_core(page + offsetof(model::CodePage, presence) + index * sizeof(uint32_t)));
  hot_.test32(kR10);
  uint8_t* down = hot_.jump_if(Condition::kEqual);
  Reg stamp = ticks == 0 ? kR15 : kR11;
  if (ticks != 0) hot_.address(stamp, {kR15, kNoReg, 1, static_cast<int32_t>(ticks), false});
  hot_.store(in_core_at(kR10, offsetof(model::CodePlace, stamp)), stamp);
  hot_.store(in_core(page + offsetof(model::CodePage, stamp)), stamp);
  Emitter::land(down, cold_.here());
  cold_.move(kR10, uint64_t{page});
  cold_.move(kR11, uint64_t{index << FETCH_TICK_BITS | ticks});
  call_thunk(cold_, kFetch);
  cold_.jump_to(hot_.here());
  if (flags_live) restore_flags(hot_);
}

// The store of a read-modify-write needs no check: its line has just become the most recent of its set, has a
// stamp, and may be written.
void Translator::access(const Access& each, bool flags_live) {
  if (plan_.uninstrumented) return;
  if (is_by_elements(each)) return elements(each, flags_live);
  if (each.kind == AccessKind::kState && each.loads && each.stores) {
    access(header_of(each), flags_live);
    Access rest = each;
    rest.loads = false;
    return access(rest, flags_live);
  }
  if (touches()) return touch(each, flags_live);
  AccessInfo info = info_of(each);
  check_data(each, info, 2u * progress_.slots, flags_live);
  if (each.loads) {
    watch(each, info, flags_live);
    ++progress_.slots;
    ++progress_.loads;
  }
  if (each.stores) {
    watch(each, {info.bytes(), DataKind::kStore, info.locked()}, flags_live);
    ++progress_.slots;
    ++progress_.stores;
  }
}

void Translator::check_data(const Access& each, AccessInfo info, unsigned ticks, bool flags_live) {
  if (!plan_.demand.data) return;
  if (!flags_live && joins(each)) return check_beside(each, info, ticks);
  close_group();
  if (flags_live) save_flags(hot_);
  if (info.bytes() > plan_.line_bytes || info.kind() == DataKind::kFlush) {
    call_data(hot_, kData, each, info);
  } else {
    uint8_t* fails = filter(hot_, each, info);
    may_group(flags_live) ? open_group(each, ticks) : stamp(hot_, ticks);
    call_where(fails, each, info);
  }
  if (flags_live) restore_flags(hot_);
}

// Emits the check up to the jump that is taken if the access does not pass. Returns the end of the jump's
// displacement. If the access passes, r11 is the slot of its line, and r10 is its offset in the line.
uint8_t* Translator::filter(Emitter& out, const Access& each, AccessInfo info) const {
  emit_data_address(out, each);
  emit_hint_index(out);
  out.load16(kR11, in_core(offsetof(Core, filters.hints), kR11, sizeof(uint16_t)));
  out.subtract(kR10, in_core_at(kR11, passing_of(each)));
  out.compare(kR10, static_cast<uint8_t>(plan_.line_bytes - info.bytes()));
  return out.jump_if(Condition::kAbove);
}

// Returns the offset of the field, in the slot at r11, that this access is checked against: the field for
// loads or for stores.
int32_t Translator::passing_of(const Access& each) {
  constexpr auto kLoads = static_cast<int32_t>(offsetof(model::DataPlace, passing));
  return kLoads + (each.stores ? static_cast<int32_t>(kStorePlaces) : 0);
}

// Emits cold code for the jump that ends at `fails`. It calls the model and returns to the current end of the
// hot code.
void Translator::call_where(uint8_t* fails, const Access& each, AccessInfo info) {
  Emitter::land(fails, cold_.here());
  call_data(cold_, kData, each, info);
  cold_.jump_to(hot_.here());
}

// Writes the stamp of the slot at r11. r10 changes.
void Translator::stamp(Emitter& out, unsigned ticks) const {
  out.address(kR10, {kR15, kNoReg, 1, static_cast<int32_t>(ticks), false});
  out.store(in_core_at(kR11, offsetof(model::DataPlace, stamp)), kR10);
}

// Emits: r11 = the low bits of the number of the line at r10. The 32-bit product drops the bits above them.
void Translator::emit_hint_index(Emitter& out) const {
  unsigned above = 32 - plan_.line_shift - plan_.hint_bits;
  out.multiply32(kR11, kR10, uint32_t{1} << above);
  out.shift_right32(kR11, static_cast<uint8_t>(32 - plan_.hint_bits));
}

// Emits: r10 = the access's address; r11 changes.
void Translator::emit_data_address(Emitter& out, const Access& each) const {
  Operand operand = prepare_operand(out, each);
  emit_address(out, kR10, operand);
  if (each.kind != AccessKind::kBitString) return;
  auto bit = static_cast<Reg>(step_->instruction.field(Field::kReg).number);
  emit_register(out, kR11, bit);
  if (each.bytes == 2) out.code(0x4d, 0x0f, 0xbf, 0xdb);  // movsx r11, r11w
  if (each.bytes == 4) out.code(0x4d, 0x63, 0xdb);        // movsxd r11, r11d
  out.code(0x49, 0xc1, 0xfb, 3);                          // sar r11, 3
  out.code(0x49, 0x83, 0xe3, -each.bytes);                // and r11, -bytes
  out.code(0x4d, 0x01, 0xda);                             // add r10, r11
}

// Emits a thunk call with the access's address and description.
void Translator::call_data(Emitter& out, Thunk thunk, const Access& each, AccessInfo info) {
  emit_data_address(out, each);
  out.move(kR11, uint64_t{info.pack() | 2u * progress_.slots << ACCESS_BITS});
  const uint8_t* behind = call_thunk(out, thunk);
  uint64_t& site = sites_[step_number_];
  if (thunk == kData && each.loads && site == 0) site = reinterpret_cast<uint64_t>(behind);
}

// The thunk runs on the engine's stack, because the target may have data below its stack pointer.
// Returns the thunk's return address.
uint8_t* Translator::call_thunk(Emitter& out, Thunk thunk) {
  out.store(in_core(saved_register_offset(kSp)), kSp);
  out.load(kSp, in_core(offsetof(Core, engine_stack)));
  out.call(in_core(offsetof(Core, thunks) + thunk * sizeof(void*)));
  uint8_t* behind = out.here();
  out.load(kSp, in_core(saved_register_offset(kSp)));
  return behind;
}

// seto al; lahf: puts the status flags into ax, until release_flags(). The code between them neither uses rax
// nor calls.
void Translator::hold_flags(Emitter& out) {
  out.store(in_core(offsetof(Core, saved_ax)), kAx);
  out.code(0x0f, 0x90, 0xc0, 0x9f);
}

// add al, 127 overflows if al is 1; sahf sets the other flags.
void Translator::release_flags(Emitter& out) {
  out.code(0x04, 0x7f, 0x9e);
  out.load(kAx, in_core(offsetof(Core, saved_ax)));
}

void Translator::save_flags(Emitter& out) {
  hold_flags(out);
  out.store(in_core(offsetof(Core, saved_flags)), kAx);
  out.load(kAx, in_core(offsetof(Core, saved_ax)));
}

void Translator::restore_flags(Emitter& out) {
  out.store(in_core(offsetof(Core, saved_ax)), kAx);
  out.load(kAx, in_core(offsetof(Core, saved_flags)));
  release_flags(out);
}

// The instruction runs unchanged. Its accesses are modelled afterwards, when their number is known.
void Translator::repeated_string(const Step& each) {
  close_group();
  if (plan_.uninstrumented) return void(copy(each));
  if (plan_.samples_ahead) look_for_sample_in_string(each);
  const Instruction& instruction = each.instruction;
  const Access& first = instruction.accesses[0];
  uint32_t stores = 0;
  for (unsigned i = 0; i < instruction.access_count; ++i) stores += instruction.accesses[i].stores ? 1 : 0;
  auto* plan = take<StringPlan>();
  if (plan == nullptr)
    do_without(LeaveReason::kNoMemory, "hardmeter: no memory for the tables of copied code\n");
  *plan = {.ip = each.address,
           .operation = instruction.string_operation,
           .repeat = instruction.repeat,
           .bytes = first.bytes,
           .further_uops = further_uops(kind_, instruction.access_count - stores, stores),
           .source_in_fs = first.segment == Segment::kFs,
           .address32 = instruction.prefix_67};
  hot_.move(kR11, reinterpret_cast<uint64_t>(plan));
  hot_.store(in_core(offsetof(Core, string.plan)), kR11);
  hot_.store(in_core(offsetof(Core, string.count)), kCx);
  hot_.store(in_core(offsetof(Core, string.source)), kSi);
  hot_.store(in_core(offsetof(Core, string.destination)), kDi);
  copy(each);
  hot_.move(kR11, uint64_t{2u * progress_.slots});
  call_thunk(hot_, kString);
}

}  // namespace hm::soft::direct
