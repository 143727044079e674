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
  alignas(64) uint64_t lines[model::kMaxL1Sets];
  alignas(64) uint64_t stamps[model::kMaxL1Sets];
};
extern CoreFilters g_filters;
extern model::Machine g_machine;
extern model::BranchPredictor g_predictor;
extern model::StoreBuffer g_store_buffer;
extern BranchStack g_branches;  // of the thread that runs

// Builds the models from the session's geometry.
void build_core(const Session& session);

// A code line: its filter word, and where it is. An engine's calls name a line by this.
struct CodeLine {
  uint64_t last_fetch;  // model::FetchFilter's word
  uint64_t number;
};

// For translation: the code line that holds `address`; null when the pool is full. Lines of one page lie
// together.
CodeLine* find_code_line(uint64_t address);

}  // namespace hm::soft::vg
