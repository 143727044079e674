// SPDX-License-Identifier: MIT
// Which options of a measurement exclude each other, or need another engine. Each check returns a sentence
// for the first option that does not work.
#pragma once

#include "app/measure/soft/soft_options.h"
#include "base/result.h"
#include "model/geometry.h"
#include "pmu/soft/launcher/engine.h"

namespace hm::measure {

[[nodiscard]] Status check_options(const SoftOptions& options, const soft::Engine& engine);

// Checks what depends on the modelled machine.
[[nodiscard]] Status check_machine(const SoftOptions& options, const model::MachineGeometry& geometry,
                                   const soft::Engine& engine);

// Rejects options whose results bursts cannot provide.
[[nodiscard]] Status check_bursts(const SoftOptions& options, const soft::Engine& engine);

}  // namespace hm::measure
