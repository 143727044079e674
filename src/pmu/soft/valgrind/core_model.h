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
  alignas(64) uint64_t data_lines[model::kMaxL1Sets];
  alignas(64) uint64_t data_page_stamps[model::kPageSlots];
  alignas(64) uint64_t fetch_page_stamps[model::kPageSlots];
};
extern CoreFilters g_filters;
extern model::Machine g_machine;
extern model::BranchPredictor g_predictor;
extern model::StoreBuffer g_store_buffer;
extern BranchStack g_branches;  // of the thread that runs

// Builds the models from the session's geometry.
void build_core(const Session& session);

// The filter words of code lines; those of one page lie together. When the pool is full, all further lines
// share one word that is never left up, so that no fetch passes and counts stay right.
inline constexpr uint32_t kCodeFlags = 1u << 20;  // 64 MiB of code with 64-byte lines
inline constexpr uint32_t kSharedCodeFlag = kCodeFlags;

// For translation: the index of the word of the code line that holds `address`.
uint32_t code_flag_index(uint64_t address);
uint64_t* code_flag(uint32_t index);

}  // namespace hm::soft::vg
