// SPDX-License-Identifier: GPL-2.0-or-later
// The machine code of sites.
#include "call_outs.h"
#include "core_model.h"
#include "host_code.h"
#include "site.h"
#include "slow_paths.h"
#include "threads.h"

namespace hm::soft::vg {
namespace {

template <typename T>
uint64_t address_of(const T* object) {
  return reinterpret_cast<uint64_t>(object);
}

// rdx = the site's stamp
void put_stamp(HostCode& code, const Site& site) {
  if (site.ticks == 0) {
    code.load(Reg::kDx, Reg::kBp, kTickOffset);
    return;
  }
  code.move32(Reg::kDx, site.ticks);
  code.add(Reg::kDx, Reg::kBp, kTickOffset);
}

// Follows a comparison: if the access passes, stores the stamp with `pass`; else calls the thunk with `value`
// in eax. The call is out of line if there is room.
template <typename Pass>
void pass_or_call(HostCode& code, Condition passes, void (*thunk)(), uint32_t value, Pass&& pass) {
  if (has_room_for_slow_path()) {
    code.jump_if(opposite(passes));
    uint32_t branch_end = code.size();
    pass();
    add_slow_path({branch_end, code.size(), value, thunk});
    return;
  }
  uint8_t* to_pass = code.jump_short_if(passes);
  code.move32(Reg::kAx, value);
  code.call(thunk);
  uint8_t* to_end = code.jump_short();
  code.land(to_pass);
  pass();
  code.land(to_end);
}

// The filter's check (model/data_filter.h) of the address in rdi. One unsigned comparison detects another
// line and a straddling access.
void emit_data(HostCode& code, const Site& site) {
  AccessInfo info = AccessInfo::unpack(site.info);
  uint32_t bytes = info.bytes();
  uint32_t line_bytes = g_core.machine.geometry().line_bytes;
  uint32_t hint_bytes = model::filter_hints(g_core.machine.geometry().l1d) * sizeof(g_filters.hints[0]);
  put_stamp(code, site);
  if (bytes > line_bytes) {
    code.move32(Reg::kAx, site.info);
    code.call(hm_call_data);
    return;
  }
  code.move32(Reg::kAx, Reg::kDi);
  code.shift_right32(Reg::kAx, static_cast<uint8_t>(g_core.machine.line_shift() - 1));
  code.and_eax(hint_bytes - sizeof(g_filters.hints[0]));
  code.load_half_by_rax(address_of(g_filters.hints));
  code.move(Reg::kCx, Reg::kDi);
  code.subtract_by_rax(Reg::kCx,
                       address_of(info.writes() ? &g_filters.stores->passing : &g_filters.data->passing));
  code.compare(Reg::kCx, line_bytes - bytes);
  pass_or_call(code, Condition::kBelowOrEqual, hm_call_data, site.info,
               [&] { code.store_by_rax(address_of(&g_filters.data->stamp), Reg::kDx); });
}

// The check of a code line's presence word (model/code_filter.h).
void emit_fetch(HostCode& code, const Site& site) {
  auto index = static_cast<uint32_t>(site.address >> g_core.machine.line_shift()) &
               (g_core.machine.lines_per_page() - 1);
  put_stamp(code, site);
  code.move(Reg::kCx, address_of(site.page));
  code.load32(Reg::kAx, Reg::kCx,
              static_cast<int64_t>(offsetof(model::CodePage, presence) + index * sizeof(uint32_t)));
  code.test32(Reg::kAx);
  pass_or_call(code, Condition::kNotEqual, hm_call_fetch, index, [&] {
    code.store_by_rax(address_of(&g_filters.code->stamp) - kCodeOffset, Reg::kDx);
    code.store(Reg::kCx, offsetof(model::CodePage, stamp), Reg::kDx);
  });
}

void emit_advance(HostCode& code, const Site& site) {
  if (site.ticks != 0) code.add_to(Reg::kBp, kTickOffset, site.ticks);
  if (site.loads + site.stores == 0) return;
  code.add_to(Reg::kBp, kAccessesOffset, static_cast<uint32_t>(HotCounters::pack(site.loads, site.stores)));
}

// Sampled stacks are read from this ring (BranchStack): `next` only increases, and its low bits are the
// index.
void emit_branch(HostCode& code, const Site& site) {
  constexpr uint8_t kEntryShift = 4;
  static_assert(sizeof(BranchEntry) == 1 << kEntryShift);
  code.load_eax(address_of(&g_core.branches.next));
  code.shift_left32(Reg::kAx, kEntryShift);
  code.and_eax((kBranchDepth - 1) << kEntryShift);
  code.move(Reg::kCx, site.address);
  code.store(Reg::kAx, static_cast<int64_t>(address_of(&g_core.branches.entries[0].from)), Reg::kCx);
  code.store(Reg::kAx, static_cast<int64_t>(address_of(&g_core.branches.entries[0].to)), Reg::kDi);
  code.increment(address_of(&g_core.branches.next));
}

void emit_call(HostCode& code, const Site& site) {
  put_stamp(code, site);
  code.move32(Reg::kAx, site.info);
  code.call(site.thunk);
}

}  // namespace

uint32_t emit_site(const Site& site, uint8_t* piece, uint32_t length) {
  HostCode code(piece, length);
  switch (site.kind) {
    case SiteKind::kData:
      emit_data(code, site);
      break;
    case SiteKind::kFetch:
      emit_fetch(code, site);
      break;
    case SiteKind::kAdvance:
      emit_advance(code, site);
      break;
    case SiteKind::kBranch:
      emit_branch(code, site);
      break;
    case SiteKind::kCall:
      emit_call(code, site);
      break;
  }
  return code.size();
}

}  // namespace hm::soft::vg
