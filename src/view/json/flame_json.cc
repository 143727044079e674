// SPDX-License-Identifier: MIT
#include "view/json/flame_json.h"

#include "view/json/values.h"

namespace hm::json {
namespace {

Json node_json(const flame::Node& node) {
  Json children = Json::array();
  for (const flame::Node& each : node.children) children.push_back(node_json(each));
  return {{"function", node.function},
          {"dso", node.dso},
          {"kind", flame::name_of(node.kind)},
          {"inlined", node.inlined},
          {"samples", node.samples},
          {"self", node.self},
          {"events", node.events},
          {"self_events", node.self_events},
          {"children", std::move(children)}};
}

}  // namespace

std::string flame_json(const flame::Flame& flame) {
  Json json{{"schema", kSchema},
            {"event", flame.event},
            {"samples", flame.samples},
            {"estimated", or_null(flame.estimated)},
            {"has_chains", flame.has_chains},
            {"left_out", flame.left_out},
            {"root", node_json(flame.root)}};
  return compact_json(json);
}

}  // namespace hm::json
