// SPDX-License-Identifier: MIT
#include "analysis/diff/limits.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "analysis/diff/change.h"
#include "analysis/diff/functions.h"
#include "analysis/diff/wanted_function.h"

namespace hm::diff {
namespace {

constexpr std::string_view kPerInstructions = "/kinst";
constexpr double kGreatestGrowth = 1e15;

Error bad_spec(std::string_view spec, std::string_view why) {
  return make_error(
      ErrorCode::kInvalidArgument,
      "cannot read the limit '{}': {}; write EVENT:2%, EVENT:+5000, EVENT@FUNCTION:10% or EVENT/kinst:+0.5",
      spec, why);
}

// Parses "2%" or "+5000". Returns false for other texts.
bool read_growth(std::string_view text, Limit& limit) {
  limit.relative = text.ends_with('%');
  if (limit.relative)
    text.remove_suffix(1);
  else if (!text.starts_with('+'))
    return false;
  if (text.starts_with('+')) text.remove_prefix(1);
  const char* end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, limit.growth, std::chars_format::fixed);
  bool whole = error == std::errc() && rest == end && text.front() != '-';
  if (limit.relative) limit.growth /= 100;
  return whole && limit.growth <= kGreatestGrowth;
}

Result<size_t> function_column(const Limit& limit, const Side& side) {
  const std::vector<std::string>& columns = side.runs().front().columns;
  auto found = std::ranges::find(columns, "function");
  if (found == columns.end()) {
    return make_error(ErrorCode::kInvalidArgument,
                      "cannot check the limit '{}': rows are by {}; compare by function", limit.spec,
                      columns.empty() ? "nothing" : columns.front());
  }
  return static_cast<size_t>(found - columns.begin());
}

bool is_sampled(const Limit& limit, const Side& side) {
  return std::ranges::all_of(side.runs(),
                             [&](const Recording& run) { return run.event(limit.event)->sampled; });
}

Status require_both(const Limit& limit, const Side& before, const Side& after) {
  bool in_before = before.has(limit.event), in_after = after.has(limit.event);
  if (!in_before || !in_after) {
    const char* who = in_before ? "after has no" : in_after ? "before has no" : "neither side has";
    return make_error(ErrorCode::kInvalidArgument, "cannot check the limit '{}': {} {}", limit.spec, who,
                      limit.event);
  }
  bool exact = before.exact(limit.event) && after.exact(limit.event);
  bool single = before.runs().size() < 2 && after.runs().size() < 2;
  if (single && (before.has_random_layout() || after.has_random_layout())) {
    return make_error(
        ErrorCode::kInvalidArgument,
        "cannot check the limit '{}': addresses were random, so counts vary from run to run; give several runs (BEFORE1,BEFORE2,... AFTER1,AFTER2,..., or `layouts = 5` in hardmeter.toml)",
        limit.spec);
  }
  if (!exact && single) {
    return make_error(
        ErrorCode::kInvalidArgument,
        "cannot check the limit '{}': with one run of each side, only exact counts can be distinguished from noise; give several runs (BEFORE1,BEFORE2,... AFTER1,AFTER2,...) or record with --pmu=soft --detail exact",
        limit.spec);
  }
  return {};
}

Verdict verdict_of(const Interval& beyond, double scale) {
  double rounding = 1e-9 * scale;
  if (beyond.low > rounding) return Verdict::kExceeded;
  return beyond.high <= rounding ? Verdict::kWithin : Verdict::kUndetermined;
}

// `difference(factor)` returns the interval of after - factor * before.
template <typename Difference>
void judge(Check& check, bool exact, Difference&& difference) {
  const Limit& limit = check.limit;
  Interval change = difference(1.0);
  check.change = change_of(check.before.value, check.after.value, change, exact);
  Interval beyond = limit.relative ? difference(1 + limit.growth)
                                   : Interval{change.low - limit.growth, change.high - limit.growth};
  check.verdict = verdict_of(beyond, std::max(check.before.limits.high, limit.growth));
}

Result<Check> check_total(Check check, const Side& before, const Side& after) {
  const Limit& limit = check.limit;
  bool rate = limit.per_thousand_instructions;
  std::vector<double> b = rate ? before.per_thousand_instructions(limit.event) : before.totals(limit.event);
  std::vector<double> a = rate ? after.per_thousand_instructions(limit.event) : after.totals(limit.event);
  if (b.empty() || a.empty()) {
    return make_error(
        ErrorCode::kInvalidArgument,
        "cannot check the limit '{}': instructions were not counted {}; the software PMU always counts them, the kernel's PMU with -e instructions",
        limit.spec, b.empty() ? "before" : "after");
  }
  double mean_before = mean_of(b), mean_after = mean_of(a);
  check.before = {mean_before, {mean_before, mean_before}};
  check.after = {mean_after, {mean_after, mean_after}};
  bool exact = is_exact(before, after, limit.event, b, a);
  Runs runs = runs_of(exact, before, after);
  judge(check, exact, [&](double factor) { return *total_difference(b, a, runs, factor); });
  return check;
}

// A baseline omits small rows, so a missing function may still be in the program.
bool has_baseline(const Side& side) { return std::ranges::any_of(side.runs(), &Recording::baseline); }

Status require_one(const Limit& limit, const WantedFunction& wanted) {
  if (wanted.files().size() > 1) {
    return make_error(
        ErrorCode::kInvalidArgument,
        "cannot check the limit '{}': several functions are called '{}'; name the file of one: {}",
        limit.spec, *limit.function, wanted.choices());
  }
  if (wanted.names().size() > 1) {
    return make_error(
        ErrorCode::kInvalidArgument,
        "cannot check the limit '{}': '{}' is short for several functions; write more of the name of one: {}",
        limit.spec, *limit.function, fmt::join(wanted.names(), ", "));
  }
  if (wanted.is_found()) return {};
  if (!wanted.others().empty()) {
    return make_error(
        ErrorCode::kNotFound,
        "cannot check the limit '{}': no sample of any event, before or after, is in such a function of that file; the functions of this name with samples are {}",
        limit.spec, wanted.others());
  }
  return make_error(
      ErrorCode::kNotFound,
      "cannot check the limit '{}': no sample of any event, before or after, is in a function called '{}'{}",
      limit.spec, *limit.function,
      wanted.nearest().empty() ? "" : fmt::format("; did you mean '{}'?", wanted.nearest()));
}

Result<Check> check_function(Check check, const Side& before, const Side& after) {
  const Limit& limit = check.limit;
  if (!is_sampled(limit, before) || !is_sampled(limit, after)) {
    return make_error(ErrorCode::kInvalidArgument,
                      "cannot check the limit '{}': {} was counted but not sampled {}; record it with -e {}",
                      limit.spec, limit.event, is_sampled(limit, before) ? "after" : "before", limit.event);
  }
  Result<size_t> column = function_column(limit, before);
  if (!column) return column.error();
  const WantedFunction wanted(*limit.function, *column, before, after);
  if (Status one = require_one(limit, wanted); !one) return one.error();
  bool known_after = wanted.is_known(after);
  if (wanted.is_only_inlined(after) && !know_inlines(before.runs(), after.runs())) {
    return make_error(
        ErrorCode::kInvalidArgument,
        "cannot check the limit '{}': {} is inlined after, and the baseline does not list functions inlined before; save it again",
        limit.spec, *limit.function);
  }
  auto part_of = [&](const Side& side) {
    return side.rows(
        limit.event, [&](const Names& names) { return wanted.has(names); },
        [&](const std::string& function) { return wanted.inlined(function); });
  };
  Part b = part_of(before), a = part_of(after);
  check.before = b.events;
  check.after = a.events;
  Runs runs = runs_of(false, before, after);
  judge(check, b.exact && a.exact, [&](double factor) { return part_difference(b, a, runs, factor); });
  check.from_samples = true;
  const auto is_partial = [](const Side& side) {
    return std::ranges::any_of(side.runs(), &Recording::partial);
  };
  check.partial = is_partial(before) || is_partial(after);
  check.runs = std::min(before.runs().size(), after.runs().size());
  check.no_samples = b.samples == 0 && a.samples == 0;
  // Without samples, growth cannot be excluded, but there is no evidence of it either.
  if (check.no_samples) check.verdict = Verdict::kUndetermined;
  if (!known_after && !has_baseline(after)) check.verdict = Verdict::kGone;
  return check;
}

}  // namespace

bool is_violated(Verdict verdict) { return verdict == Verdict::kExceeded || verdict == Verdict::kGone; }

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kWithin:
      return "within";
    case Verdict::kExceeded:
      return "exceeded";
    case Verdict::kUndetermined:
      return "undetermined";
    case Verdict::kGone:
      return "gone";
  }
  return {};
}

// The last colon precedes the limit, since a function name may contain colons and a limit may not. The first
// '@' ends the event name, which may contain colons but no '@'.
Result<Limit> parse_limit(std::string_view spec) {
  size_t colon = spec.rfind(':');
  if (colon == std::string_view::npos) return bad_spec(spec, "it has no ':'");
  Limit limit;
  limit.spec = spec;
  if (!read_growth(spec.substr(colon + 1), limit))
    return bad_spec(spec, "the text after the last ':' is not a growth such as 2% or +5000");
  std::string_view event = spec.substr(0, colon);
  if (size_t at = event.find('@'); at != std::string_view::npos) {
    limit.function = event.substr(at + 1);
    if (limit.function->empty()) return bad_spec(spec, "no function follows the '@'");
    event = event.substr(0, at);
  } else if (event.ends_with(kPerInstructions)) {
    limit.per_thousand_instructions = true;
    event.remove_suffix(kPerInstructions.size());
  }
  if (event.empty()) return bad_spec(spec, "it names no event");
  limit.event = event;
  return limit;
}

Result<Check> check_limit(const Limit& limit, const Side& before, const Side& after) {
  if (Status both = require_both(limit, before, after); !both) return both.error();
  Check check;
  check.limit = limit;
  return limit.function ? check_function(std::move(check), before, after)
                        : check_total(std::move(check), before, after);
}

}  // namespace hm::diff
