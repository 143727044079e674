// SPDX-License-Identifier: MIT
#include "host/calibration/profile_json.h"

#include <algorithm>
#include <cmath>

#include "host/calibration/quantities.h"

namespace hm::host {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 2;
constexpr size_t kMaxEntries = 256;

Json estimate_json(const Estimate& estimate) {
  return {{"value", estimate.value}, {"low", estimate.low}, {"high", estimate.high}};
}
Json estimate_json(const std::optional<Estimate>& estimate) {
  return estimate ? estimate_json(*estimate) : Json();
}

Json level_json(const LevelProfile& level) {
  Json overlap = Json::array();
  for (const Overlap& each : level.overlap)
    overlap.push_back({{"chains", each.chains}, {"ns", estimate_json(each.ns)}});
  Json by_size = Json::array();
  for (const SizeLatency& each : level.by_size)
    by_size.push_back({{"bytes", each.bytes}, {"ns", estimate_json(each.ns)}});
  Json bandwidth;
  if (level.bandwidth)
    bandwidth = {{"read", estimate_json(level.bandwidth->read)},
                 {"write", estimate_json(level.bandwidth->write)},
                 {"copy", estimate_json(level.bandwidth->copy)}};
  return {{"name", level.name},
          {"measured_bytes", level.measured_bytes},
          {"overlap", std::move(overlap)},
          {"by_size", std::move(by_size)},
          {"store_ns", estimate_json(level.store_ns)},
          {"bytes_per_ns", std::move(bandwidth)}};
}

Json walk_json(const WalkProfile& walk) {
  return {{"stride_bytes", walk.stride_bytes},
          {"streams", walk.streams},
          {"huge_pages", walk.huge_pages},
          {"ns", estimate_json(walk.ns)}};
}

// Texts are printed: a terminal would obey control characters.
bool is_printable(const std::string& text) {
  constexpr unsigned char kFirst = 0x20, kEnd = 0x7f;
  return std::ranges::all_of(text, [](unsigned char each) { return each >= kFirst && each < kEnd; });
}

// Reads members of untrusted JSON; `ok()` is false once one is missing or of another kind.
class Members {
 public:
  [[nodiscard]] bool ok() const { return ok_; }

  const nlohmann::json& member(const nlohmann::json& of, const char* key) {
    static const nlohmann::json kNone;
    auto found = of.is_object() ? of.find(key) : of.end();
    if (!of.is_object() || found == of.end()) {
      ok_ = false;
      return kNone;
    }
    return *found;
  }
  // Times may be negative, because some are differences.
  double number(const nlohmann::json& of, const char* key) {
    const nlohmann::json& value = member(of, key);
    constexpr double kMost = 1e9;
    if (!value.is_number() || !(std::abs(value.get<double>()) < kMost)) {
      ok_ = false;
      return 0;
    }
    return value.get<double>();
  }
  uint64_t whole(const nlohmann::json& of, const char* key) {
    const nlohmann::json& value = member(of, key);
    if (!value.is_number_unsigned()) {
      ok_ = false;
      return 0;
    }
    return value.get<uint64_t>();
  }
  std::string text(const nlohmann::json& of, const char* key) {
    const nlohmann::json& value = member(of, key);
    if (value.is_string() && is_printable(value.get<std::string>())) return value.get<std::string>();
    ok_ = false;
    return {};
  }
  bool flag(const nlohmann::json& of, const char* key) {
    const nlohmann::json& value = member(of, key);
    if (value.is_boolean()) return value.get<bool>();
    ok_ = false;
    return false;
  }
  Estimate estimate(const nlohmann::json& of, const char* key) {
    const nlohmann::json& value = member(of, key);
    Estimate found{number(value, "value"), number(value, "low"), number(value, "high")};
    if (!(found.low <= found.value && found.value <= found.high)) ok_ = false;
    return found;
  }
  std::optional<Estimate> estimate_or_null(const nlohmann::json& of, const char* key) {
    if (member(of, key).is_null()) return std::nullopt;
    return estimate(of, key);
  }
  template <typename Add>
  void for_each(const nlohmann::json& of, const char* key, Add add) {
    const nlohmann::json& all = member(of, key);
    if (!all.is_array() || all.size() > kMaxEntries) {
      ok_ = false;
      return;
    }
    for (const nlohmann::json& each : all) add(each);
  }

 private:
  bool ok_ = true;
};

LevelProfile level_in(Members& in, const nlohmann::json& json) {
  LevelProfile level{.name = in.text(json, "name"), .measured_bytes = in.whole(json, "measured_bytes")};
  in.for_each(json, "overlap", [&](const nlohmann::json& each) {
    level.overlap.push_back({static_cast<uint32_t>(in.whole(each, "chains")), in.estimate(each, "ns")});
  });
  in.for_each(json, "by_size", [&](const nlohmann::json& each) {
    level.by_size.push_back({in.whole(each, "bytes"), in.estimate(each, "ns")});
  });
  level.store_ns = in.estimate(json, "store_ns");
  if (const nlohmann::json& rates = in.member(json, "bytes_per_ns"); !rates.is_null())
    level.bandwidth = {in.estimate(rates, "read"), in.estimate(rates, "write"), in.estimate(rates, "copy")};
  return level;
}

WalkProfile walk_in(Members& in, const nlohmann::json& json) {
  return {.stride_bytes = static_cast<int64_t>(in.number(json, "stride_bytes")),
          .streams = static_cast<uint32_t>(in.whole(json, "streams")),
          .huge_pages = in.flag(json, "huge_pages"),
          .ns = in.estimate(json, "ns")};
}

Hazards hazards_in(Members& in, const nlohmann::json& json) {
  return {.mispredicted_branch_ns = in.estimate(json, "mispredicted_branch_ns"),
          .split_line_ns = in.estimate(json, "split_line_ns"),
          .split_page_ns = in.estimate(json, "split_page_ns"),
          .blocked_forward_ns = in.estimate(json, "blocked_forward_ns"),
          .page_alias_ns = in.estimate(json, "page_alias_ns")};
}

bool is_complete(const LevelProfile& level) {
  if (level.overlap.empty() || level.overlap.front().chains != 1) return false;
  bool has_rates = !level.bandwidth || (level.bandwidth->read.low > 0 && level.bandwidth->write.low > 0 &&
                                        level.bandwidth->copy.low > 0);
  bool has_times =
      std::ranges::all_of(level.by_size, [](const SizeLatency& each) { return each.ns.low > 0; });
  return has_rates && has_times &&
         std::ranges::all_of(level.overlap, [](const Overlap& each) { return each.ns.low > 0; });
}

// The first level is L1, beyond which all costs are counted.
bool is_complete(const MachineProfile& profile) {
  constexpr double kFewest = 0.05, kMost = 64;
  const auto is_rate = [](double per_cycle) { return per_cycle >= kFewest && per_cycle <= kMost; };
  return profile.levels.size() >= 2 && profile.levels.front().name == "L1" && profile.core_ghz.low > 0 &&
         is_rate(profile.instructions_per_cycle) && is_rate(profile.additions_per_cycle) &&
         profile.sparse_load_ns.low > 0 &&
         std::ranges::all_of(profile.levels, [](const LevelProfile& level) { return is_complete(level); });
}

}  // namespace

Json to_json(const MachineProfile& profile) {
  const Hazards& hazards = profile.hazards;
  Json json{{"machine_profile", kVersion},
            {"cpu_id", profile.cpu_id},
            {"cpu_name", profile.cpu_name},
            {"date", profile.date},
            {"virtual_machine", profile.is_virtual},
            {"core_ghz", estimate_json(profile.core_ghz)},
            {"instructions_per_cycle", profile.instructions_per_cycle},
            {"additions_per_cycle", profile.additions_per_cycle},
            {"levels", Json::array()},
            {"second_tlb_ns", estimate_json(profile.second_tlb_ns)},
            {"page_walk_ns", estimate_json(profile.page_walk_ns)},
            {"walks", Json::array()},
            {"sparse_load_ns", estimate_json(profile.sparse_load_ns)},
            {"hazards",
             {{"mispredicted_branch_ns", estimate_json(hazards.mispredicted_branch_ns)},
              {"split_line_ns", estimate_json(hazards.split_line_ns)},
              {"split_page_ns", estimate_json(hazards.split_page_ns)},
              {"blocked_forward_ns", estimate_json(hazards.blocked_forward_ns)},
              {"page_alias_ns", estimate_json(hazards.page_alias_ns)}}},
            {"modified_line_ns", estimate_json(profile.modified_line_ns)},
            {"unsteady", unsteady_quantities(profile)},
            {"preemptions", profile.preemptions},
            {"stolen_share", profile.stolen_share ? Json(*profile.stolen_share) : Json()},
            {"elapsed_ns", profile.elapsed_ns}};
  for (const LevelProfile& level : profile.levels) json["levels"].push_back(level_json(level));
  for (const WalkProfile& walk : profile.walks) json["walks"].push_back(walk_json(walk));
  return json;
}

Result<MachineProfile> machine_profile_in(std::string_view text) {
  nlohmann::json json = parse_json(text);
  Members in;
  if (json.is_discarded() || in.whole(json, "machine_profile") != kVersion)
    return make_error(ErrorCode::kDamaged, "not a machine profile of this version of hardmeter");
  MachineProfile profile{.cpu_id = in.text(json, "cpu_id"),
                         .cpu_name = in.text(json, "cpu_name"),
                         .date = in.text(json, "date"),
                         .is_virtual = in.flag(json, "virtual_machine"),
                         .core_ghz = in.estimate(json, "core_ghz"),
                         .instructions_per_cycle = in.number(json, "instructions_per_cycle"),
                         .additions_per_cycle = in.number(json, "additions_per_cycle")};
  in.for_each(json, "levels",
              [&](const nlohmann::json& each) { profile.levels.push_back(level_in(in, each)); });
  profile.second_tlb_ns = in.estimate_or_null(json, "second_tlb_ns");
  profile.page_walk_ns = in.estimate_or_null(json, "page_walk_ns");
  in.for_each(json, "walks", [&](const nlohmann::json& each) { profile.walks.push_back(walk_in(in, each)); });
  profile.sparse_load_ns = in.estimate(json, "sparse_load_ns");
  profile.hazards = hazards_in(in, in.member(json, "hazards"));
  profile.modified_line_ns = in.estimate_or_null(json, "modified_line_ns");
  profile.preemptions = in.whole(json, "preemptions");
  if (!in.member(json, "stolen_share").is_null()) profile.stolen_share = in.number(json, "stolen_share");
  profile.elapsed_ns = in.whole(json, "elapsed_ns");
  if (!in.ok() || !is_complete(profile)) return make_error(ErrorCode::kDamaged, "a damaged machine profile");
  return profile;
}

}  // namespace hm::host
