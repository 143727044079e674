// SPDX-License-Identifier: GPL-2.0-or-later
// The modelled core of this process, and its filters at addresses that fit an instruction's 32-bit
// displacement.
#pragma once

#include <stdint.h>

#include "model/branch_predictor.h"
#include "model/machine.h"
#include "model/store_buffer.h"
#include "pmu/soft/events/sample_record.h"

namespace hm::soft::vg {

struct CoreFilters {
  alignas(64) uint16_t hints[model::kMaxHints];
  alignas(64) uint64_t passing[model::kMaxL1Places];
  alignas(64) uint64_t stamps[model::kMaxL1Places];
  alignas(64) uint64_t code_stamps[model::kMaxL1Places];
};
extern CoreFilters g_filters;
extern model::Machine g_machine;
extern model::BranchPredictor g_predictor;
extern model::StoreBuffer g_store_buffer;
extern BranchStack g_branches;  // of the thread that runs

// Builds the models from the session's geometry.
void build_core(const Session& session);

// The filter words of the page that holds `address` (model::CodeFilter). Made at the first call for a page
// and kept for good; null only beyond a GiB of code, whose fetches are then not modelled.
model::CodePage* code_page(uint64_t address);

}  // namespace hm::soft::vg
