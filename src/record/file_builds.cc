// SPDX-License-Identifier: MIT
#include "record/file_builds.h"

#include <utility>

#include "base/hex.h"
#include "record/run_description.h"

namespace hm::record {
namespace {

constexpr const char* kBuilds = "builds_of_same_path";

}  // namespace

std::string with_file_builds(const std::string& run, const std::vector<FileBuild>& builds) {
  nlohmann::json list = nlohmann::json::array();
  for (const FileBuild& build : builds) {
    list.push_back({{"path", build.path},
                    {"major", build.major},
                    {"minor", build.minor},
                    {"inode", build.inode},
                    {"build_id", build.build_id}});
  }
  return with_list(run, kBuilds, std::move(list));
}

std::vector<FileBuild> file_builds(const Features& features) {
  std::vector<FileBuild> builds;
  nlohmann::json run = run_description(features);
  for (const nlohmann::json& each : list_in(run, kBuilds)) {
    FileBuild build{text_in(each, "path"), static_cast<uint32_t>(number_in(each, "major")),
                    static_cast<uint32_t>(number_in(each, "minor")), number_in(each, "inode"),
                    text_in(each, "build_id")};
    if (!build.path.empty() && bytes_of_hex(build.build_id)) builds.push_back(std::move(build));
  }
  return builds;
}

}  // namespace hm::record
