// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/decode/generate/limits.h"

#include <bit>

namespace hm::soft::direct {
namespace {

bool in_memory(const Probe& probe) { return probe.modrm < 0xc0; }

// Returns true if `probe` is valid for any setting of the registers that may be left open. In some encodings,
// registers must differ.
bool valid_for_some(const Prober& prober, const Probe& probe, bool open_r, bool open_xb, bool open_vvvv) {
  unsigned last_r = open_r ? 1 : 0;
  unsigned last_xb = open_xb ? 3 : 0;
  unsigned last_vvvv = open_vvvv ? 7 : 0;
  Probe trial = probe;
  for (unsigned r = 0; r <= last_r; ++r) {
    for (unsigned xb = 0; xb <= last_xb; ++xb) {
      for (unsigned vvvv = 0; vvvv <= last_vvvv; ++vvvv) {
        if (open_r) trial.r = static_cast<uint8_t>(r);
        if (open_xb) trial.x = static_cast<uint8_t>(xb >> 1);
        if (open_xb) trial.b = static_cast<uint8_t>(xb & 1);
        if (open_vvvv) trial.vvvv = static_cast<uint8_t>(vvvv);
        if (prober.is_valid(trial)) return true;
      }
    }
  }
  return false;
}

uint8_t reg_extensions(const Prober& prober, const Probe& probe, bool uses_vvvv) {
  unsigned valid = 0;
  for (uint8_t r = 0; r < 4; ++r) {
    if (r >= 2 && probe.encoding != Encoding::kEvex) break;
    Probe trial = probe;
    trial.r = r & 1;
    trial.r2 = r >> 1;
    if (valid_for_some(prober, trial, false, !in_memory(probe), uses_vvvv)) valid |= 1u << r;
  }
  return static_cast<uint8_t>(valid);
}

uint8_t rm_extensions(const Prober& prober, const Probe& probe, bool uses_vvvv) {
  if (in_memory(probe)) return 0xf;
  unsigned valid = 0;
  for (uint8_t xb = 0; xb < 4; ++xb) {
    Probe trial = probe;
    trial.x = xb >> 1;
    trial.b = xb & 1;
    if (valid_for_some(prober, trial, true, false, uses_vvvv)) valid |= 1u << xb;
  }
  return static_cast<uint8_t>(valid);
}

// Returns one past the last valid number of vvvv. With a vector index, the fifth bit belongs to the index.
uint8_t vvvv_end(const Prober& prober, const Probe& probe, bool vector_index) {
  unsigned last = probe.encoding == Encoding::kLegacy ? 0 : probe.encoding == Encoding::kVex ? 15 : 31;
  if (vector_index) last &= 15;
  for (unsigned number = last; number > 0; --number) {
    Probe trial = probe;
    trial.vvvv = static_cast<uint8_t>(number);
    if (valid_for_some(prober, trial, true, !in_memory(probe), false))
      return static_cast<uint8_t>(std::bit_ceil(number + 1));
  }
  return 1;
}

uint8_t mask_forms(const Prober& prober, const Probe& probe) {
  if (probe.encoding != Encoding::kEvex) return 1;
  unsigned valid = 0;
  for (uint8_t form = 0; form < 4; ++form) {
    Probe trial = probe;
    trial.mask_form = form;
    if (prober.is_valid(trial)) valid |= 1u << form;
  }
  return static_cast<uint8_t>(valid);
}

void fill_address_limits(const Prober& prober, const Probe& probe, Row& row) {
  Probe locked = probe;
  locked.lock = true;
  row.takes_lock = prober.is_valid(locked);
  row.needs_sib = probe.has_sib;
  if (!in_memory(probe) || probe.has_sib) return;
  Probe rip = probe;
  rip.modrm = static_cast<uint8_t>((probe.modrm & 0x38) | 5);
  row.takes_rip = prober.is_valid(rip);
}

// Finds the pairs of registers that are never valid if equal. The low bits of ModRM belong to the row, so reg
// and rm can be equal only if their low bits are equal.
unsigned differences_from_rm(const Prober& prober, Probe trial) {
  uint8_t rm = trial.modrm & 7;
  unsigned found = 0;
  trial.r = trial.x = trial.b = 0;
  trial.vvvv = rm;
  if (!valid_for_some(prober, trial, true, false, false)) found |= kVvvvFromRm;
  bool equal = (trial.modrm >> 3 & 7) == rm;
  if (equal && !valid_for_some(prober, trial, false, false, true)) found |= kRegFromRm;
  return found;
}

unsigned differences_from_index(const Prober& prober, Probe trial, bool uses_vvvv) {
  uint8_t reg = trial.modrm >> 3 & 7;
  unsigned found = 0;
  trial.r = 0;
  trial.sib = static_cast<uint8_t>(reg << 3 | 1);
  if (!valid_for_some(prober, trial, false, false, uses_vvvv)) found |= kRegFromIndex;
  if (!uses_vvvv) return found;
  uint8_t other = reg == 5 ? 6 : 5;
  trial.sib = static_cast<uint8_t>(other << 3 | 1);
  trial.vvvv = other;
  return prober.is_valid(trial) ? found : found | kVvvvFromIndex;
}

uint8_t differences(const Prober& prober, const Probe& probe, bool uses_vvvv) {
  unsigned found = 0;
  if (probe.has_sib) found |= differences_from_index(prober, probe, uses_vvvv);
  if (!uses_vvvv) return static_cast<uint8_t>(found);
  Probe trial = probe;
  trial.r = 0;
  trial.vvvv = probe.modrm >> 3 & 7;
  if (!valid_for_some(prober, trial, false, !in_memory(probe), false)) found |= kRegFromVvvv;
  if (!in_memory(probe)) found |= differences_from_rm(prober, probe);
  return static_cast<uint8_t>(found);
}

uint8_t displacement_shift(const Prober& prober, Probe probe) {
  if (probe.encoding != Encoding::kEvex || !in_memory(probe)) return 0;
  probe.modrm |= 0x40;
  auto plain = prober.ask(probe);
  if (!plain) return 0;
  for (unsigned i = 0; i < plain->instruction.access_count; ++i) {
    int64_t displacement = plain->instruction.accesses[i].displacement;
    if (displacement > 0) return static_cast<uint8_t>(std::countr_zero(static_cast<uint64_t>(displacement)));
  }
  return 0;
}

bool writes_flags(const Prober& prober, Probe probe, uint8_t immediate) {
  probe.tail = immediate;
  auto described = prober.ask(probe);
  return described && described->instruction.flags_written != 0;
}

// Returns the bits of an immediate count that decide whether flags are written: those that make a shift by
// 64, or by 32, a shift by 0.
uint8_t count_mask(const Prober& prober, const Probe& probe) {
  if (!writes_flags(prober, probe, 1) || writes_flags(prober, probe, 64)) return 0;
  return writes_flags(prober, probe, 32) ? 63 : 31;
}

}  // namespace

void fill_limits(const Prober& prober, const Probe& probe, const Described& described, Row& row) {
  row.vector_index = described.vector_index;
  row.vvvv_end = vvvv_end(prober, probe, row.vector_index);
  bool uses_vvvv = row.vvvv_end > 1;
  row.reg_extensions = reg_extensions(prober, probe, uses_vvvv) & 0xf;
  row.rm_extensions = rm_extensions(prober, probe, uses_vvvv) & 0xf;
  row.mask_forms = mask_forms(prober, probe) & 0xf;
  row.displacement_shift = displacement_shift(prober, probe);
  row.count_mask = count_mask(prober, probe);
  fill_address_limits(prober, probe, row);
  row.differences = differences(prober, probe, uses_vvvv);
}

bool takes_segment(const Prober& prober, const Probe& probe, unsigned access) {
  Probe trial = probe;
  trial.segment = true;
  auto described = prober.ask(trial);
  return described && described->instruction.accesses[access].segment != Segment::kNone;
}

}  // namespace hm::soft::direct
