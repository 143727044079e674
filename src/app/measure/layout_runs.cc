// SPDX-License-Identifier: MIT
#include "app/measure/layout_runs.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <vector>

#include "analysis/totals/layouts.h"

namespace hm::measure {
namespace {

Status check(const MeasureOptions& options) {
  if (!options.target.only_a_command())
    return make_error(ErrorCode::kInvalidArgument,
                      "--layouts runs a program several times: name a program, not running processes");
  if (options.source && *options.source != SourceKind::kSoftware)
    return make_error(ErrorCode::kUnsupported,
                      "the kernel's PMU does not support --layouts; the software PMU does (--pmu=soft)");
  return {};
}

// Standard input, which each run reads from the same position, if it is a file.
class Input {
 public:
  void rewind() const {
    if (begin_ >= 0) (void)::lseek(STDIN_FILENO, begin_, SEEK_SET);
  }
  // A sentence if only the first run can read it.
  [[nodiscard]] std::string note() const {
    bool is_read_once = begin_ < 0 && errno_ == ESPIPE && ::isatty(STDIN_FILENO) == 0;
    return is_read_once ? "standard input is a pipe: what one run reads of it, the others do not" : "";
  }

 private:
  off_t begin_ = ::lseek(STDIN_FILENO, 0, SEEK_CUR);
  int errno_ = errno;
};

}  // namespace

Result<Counted> count_in_layouts(MeasureOptions options, uint64_t layouts, const Observer& observer) {
  if (layouts == 1) return count_events(options, observer);
  if (Status possible = check(options); !possible) return possible.error();
  options.source = SourceKind::kSoftware;
  const Input input;
  std::vector<totals::Counting> runs;
  uint64_t first = options.software.layout;
  // Layout 0 runs last, so an engine without layouts refuses before any run.
  for (uint64_t left = layouts; left > 0; --left) {
    options.software.layout = first + left - 1;
    input.rewind();
    Result<Counted> run = count_events(options, observer);
    if (!run || run->refusal) return run;
    bool ends = left == 1 || run->outcome.interrupted;
    if (!run->outcome.interrupted || runs.empty()) runs.push_back(std::move(run->counting));
    if (!ends) continue;
    std::ranges::reverse(runs);
    run->counting = totals::over_layouts(std::move(runs));
    if (std::string note = input.note(); !note.empty()) run->counting.notes.push_back(std::move(note));
    return run;
  }
  return Counted{};
}

}  // namespace hm::measure
