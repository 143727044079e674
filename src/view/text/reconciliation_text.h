// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/reconcile/reconcile.h"
#include "view/text/table.h"

namespace hm::text {

// Returns a title, a table of the functions' time and waits, and a note if the model has more waits than
// time.
[[nodiscard]] std::string reconciliation(const reconcile::Reconciliation& result, const Style& style);

}  // namespace hm::text
