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

std::vector<std::string> explain_collection(const SoftResult& result) {
  const soft::CollectionUse& use = result.run.collection;
  if (!use.began)
    return {fmt::format(
        "everything was over before the {} ms of --start-after had passed, so nothing was collected; wait "
        "for less",
        text::grouped(result.limits.start_after_ms))};
  std::vector<std::string> sentences;
  if (use.programs_with_regions != 0 && use.regions.empty())
    sentences.emplace_back(
        "the program says itself what to measure (it has hardmeter_start) and never did, so nothing of it "
        "was collected; "
        "--whole collects all of it");
  for (const soft::FunctionUse& each : use.functions) {
    if (!each.found) {
      sentences.push_back(fmt::format(
          "no program or library that ran names a function {}, so nothing of it was collected; nm -C FILE "
          "and nm -DC FILE list the functions that a file names, a stripped one few",
          each.name));
    } else if (each.entered == 0) {
      sentences.push_back(
          fmt::format("{} was never entered{}, so nothing of it was collected; where the compiler has put it "
                      "into its callers, name these",
                      each.name, after_text(result)));
    }
  }
  return sentences;
}

std::vector<std::string> explain_allocators(const SoftResult& result) {
  std::vector<std::string> sentences;
  for (const std::string& name : result.run.missing_allocators)
    sentences.push_back(fmt::format(
        "no program or library that ran names an allocator {}, so its blocks are not known; nm -C FILE and "
        "nm -DC FILE list the functions that a file names, a stripped one few",
        name));
  return sentences;
}

}  // namespace hm::measure
