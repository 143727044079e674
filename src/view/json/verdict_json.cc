// SPDX-License-Identifier: MIT
#include "view/json/verdict_json.h"

namespace hm::json {

Json verdict_json(const std::optional<totals::Verdict>& verdict) {
  if (!verdict) return {};
  Json json{{"memory_share", verdict->memory},
            {"error", or_null(verdict->error)},
            {"in_bursts", verdict->in_bursts},
            {"unseen_share", or_null(verdict->unseen)},
            {"cost_source", record::name_of(verdict->costs)},
            {"unseen_kernel_share", or_null(verdict->unseen_kernel)},
            {"parts", Json::object()},
            {"misses_per_thousand_instructions", Json::object()},
            {"instructions_per_cycle", or_null(verdict->instructions_per_cycle)}};
  for (const totals::CyclePart& part : verdict->of_memory) json["parts"][part.event] = part.share;
  if (verdict->fetch) json["parts"]["fetch_wait"] = *verdict->fetch;
  if (verdict->branches) json["parts"]["branch_wait"] = *verdict->branches;
  for (const totals::MissRate& each : verdict->misses)
    json["misses_per_thousand_instructions"][each.level] = each.per_thousand_instructions;
  return json;
}

}  // namespace hm::json
