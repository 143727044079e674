// SPDX-License-Identifier: MIT
// What the dataflow model (model/cost/dataflow.h) needs of an instruction, from its decoding.
#pragma once

#include "model/cost/dataflow.h"
#include "pmu/soft/direct/decode/instruction.h"

namespace hm::soft::direct {

// `before`: the instruction before it in the program, or null.
model::FlowInstruction flow_of(const Instruction& instruction, const Instruction* before);

}  // namespace hm::soft::direct
