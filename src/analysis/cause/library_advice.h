// SPDX-License-Identifier: MIT
// Advice on containers of nodes and on boxed objects of language runtimes.
#pragma once

#include <optional>

#include "analysis/cause/evidence.h"
#include "analysis/cause/pattern.h"

namespace hm::cause {

// Returns nullopt if the container is unknown or dense.
[[nodiscard]] std::optional<Advice> advise_on_container(const Evidence& evidence);

// Returns the number of nodes that a look-up in a balanced tree misses, from the median stack distance of
// these misses and the number of lines in the cache. Look-ups are assumed to be uniform and a node to fill a
// line.
[[nodiscard]] double levels_missed(uint64_t reuse_lines, uint64_t cache_lines);

}  // namespace hm::cause
