// SPDX-License-Identifier: MIT
#include "app/measure/soft/collection_description.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "view/text/format.h"

namespace hm::measure {
namespace {

std::string after_text(const SoftResult& result) {
  return result.limits.start_after_ms == 0
             ? std::string()
             : fmt::format(" after the first {} ms", text::grouped(result.limits.start_after_ms));
}

}  // namespace

std::string describe_collection(const SoftResult& result) {
  std::vector<std::string> limits;
  for (const soft::FunctionUse& each : result.run.collection.functions)
    limits.push_back(fmt::format("{}inside {} (entered {})", limits.empty() ? "only " : "", each.name,
                                 text::count_of(each.entered, "time", "times")));
  // Wording for a program in which no region was found before the run.
  const soft::CollectionUse& use = result.run.collection;
  const char* only =
      use.programs_with_regions != 0 ? "only " : "all until the first region, and in that thread then only ";
  for (const soft::FunctionUse& each : use.regions)
    limits.push_back(fmt::format("{}the program's region {} (entered {})", limits.empty() ? only : "",
                                 each.name, text::count_of(each.entered, "time", "times")));
  std::string text = fmt::format("{}", fmt::join(limits, " and "));
  if (result.limits.start_after_ms == 0) return text;
  return fmt::format("{}{}from {} ms on", text, text.empty() ? "" : ", ",
                     text::grouped(result.limits.start_after_ms));
}

std::string describe_models(const SoftResult& result) {
  switch (result.models) {
    case soft::Models::kNone:
      return "no caches, TLBs and cycles: these events do not need them; -e EVENT,memory_wait adds them";
    case soft::Models::kFetches:
      return "only L1I and the ITLB: these events do not need more; -e EVENT,memory_wait adds the other caches, TLBs and cycles";
    case soft::Models::kAll:
      break;
  }
  return {};
}

std::vector<std::string> explain_collection(const SoftResult& result) {
  const soft::CollectionUse& use = result.run.collection;
  if (!use.began)
    return {fmt::format(
        "the program ended before the {} ms of --start-after had passed, so nothing was collected; use a shorter time",
        text::grouped(result.limits.start_after_ms))};
  std::vector<std::string> sentences;
  if (use.programs_with_regions != 0 && use.regions.empty())
    sentences.emplace_back(
        "the program has hardmeter_start but never called it, so nothing was collected; --whole collects the whole program");
  for (const soft::FunctionUse& each : use.functions) {
    if (!each.found) {
      sentences.push_back(fmt::format(
          "no program or library that ran has a function {} in its symbols, so nothing was collected; nm -C FILE and nm -DC FILE list a file's functions (stripped files have few)",
          each.name));
    } else if (each.entered == 0) {
      sentences.push_back(fmt::format(
          "{} was never entered{}, so nothing was collected; if the compiler inlined it, name its callers",
          each.name, after_text(result)));
    }
  }
  return sentences;
}

std::vector<std::string> explain_allocators(const SoftResult& result) {
  std::vector<std::string> sentences;
  for (const std::string& name : result.run.missing_allocators)
    sentences.push_back(fmt::format(
        "no program or library that ran has an allocator {} in its symbols, so its blocks are unknown; nm -C FILE and nm -DC FILE list a file's functions (stripped files have few)",
        name));
  return sentences;
}

}  // namespace hm::measure
