// SPDX-License-Identifier: MIT
#include "record/code_copies.h"

#include <utility>

#include "record/run_description.h"

namespace hm::record {
namespace {

constexpr const char* kCopies = "code_copies";

}  // namespace

std::string with_code_copies(const std::string& run, const std::vector<CodeCopy>& copies) {
  nlohmann::json list = nlohmann::json::array();
  for (const CodeCopy& copy : copies) {
    list.push_back(
        {{"pid", copy.pid}, {"start", copy.start}, {"end", copy.end}, {"has_same_code", copy.has_same_code}});
  }
  return with_list(run, kCopies, std::move(list));
}

std::vector<CodeCopy> code_copies(const Features& features) {
  std::vector<CodeCopy> copies;
  nlohmann::json run = run_description(features);
  for (const nlohmann::json& each : list_in(run, kCopies)) {
    CodeCopy copy{static_cast<uint32_t>(number_in(each, "pid")), number_in(each, "start"),
                  number_in(each, "end"), flag_in(each, "has_same_code")};
    if (copy.start < copy.end) copies.push_back(copy);
  }
  return copies;
}

}  // namespace hm::record
