// SPDX-License-Identifier: MIT
#include "app/measure/forecast.h"

#include <algorithm>
#include <filesystem>

#include "record/reader.h"
#include "record/run_description.h"

namespace hm::measure {
namespace {

// Returns the software PMU's description of the recording; an empty object if there is none.
nlohmann::json description_of(const std::string& path) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed)) return nlohmann::json::object();
  Result<record::Reader> reader = record::Reader::open(path);
  if (!reader || reader->is_pipe()) return nlohmann::json::object();
  return record::run_description(reader->features());
}

}  // namespace

std::optional<Forecast> Forecast::from_recording(const std::string& path,
                                                 const std::vector<std::string>& command) {
  nlohmann::json json = description_of(path);
  bool fits = record::list_in(json, "command") == nlohmann::json(command) &&
              json.value("interrupted", nlohmann::json()) == nlohmann::json(false);
  auto totals = json.find("totals");
  if (!fits || totals == json.end() || !totals->is_object()) return std::nullopt;
  Run earlier{record::number_in(*totals, "instr_retired"), record::number_in(json, "elapsed_ns")};
  return earlier.instructions == 0 ? std::nullopt : std::optional(Forecast(earlier));
}

void Forecast::complete(pmu::Progress& progress) {
  if (!progress.instructions) return;
  Point now{progress.elapsed_ns, *progress.instructions};
  points_.push_back(now);
  while (points_.front().elapsed_ns + kWindowNs < now.elapsed_ns) points_.pop_front();
  if (now.instructions > earlier_.instructions) return;  // it runs longer than the last time
  progress.part = static_cast<double>(now.instructions) / static_cast<double>(earlier_.instructions);
  const Point& then = points_.front();
  if (now.instructions <= then.instructions) return;
  double ns_per_instruction = static_cast<double>(now.elapsed_ns - then.elapsed_ns) /
                              static_cast<double>(now.instructions - then.instructions);
  auto left = static_cast<double>(earlier_.instructions - now.instructions);
  constexpr double kMaxNs = 3.6e12;  // a program that sleeps says nothing of its end
  double remaining = left * ns_per_instruction;
  if (remaining > kMaxNs && now.elapsed_ns >= earlier_.elapsed_ns) return;
  progress.remaining_ns = static_cast<uint64_t>(std::min(remaining, kMaxNs));
  if (now.elapsed_ns < earlier_.elapsed_ns)
    progress.remaining_ns = std::min(*progress.remaining_ns, earlier_.elapsed_ns - now.elapsed_ns);
}

}  // namespace hm::measure
