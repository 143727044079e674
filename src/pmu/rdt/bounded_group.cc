// SPDX-License-Identifier: MIT
#include "pmu/rdt/bounded_group.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>

#include "base/text_file.h"

namespace hm::rdt {
namespace {

// resctrl's resource names. With CDP (separate masks for code and data) only the last two exist.
constexpr std::string_view kWhole = "L3", kCode = "L3CODE", kData = "L3DATA";

std::optional<uint64_t> mask_in(const Resctrl& resctrl, std::string_view resource) {
  std::optional<std::string> text = read_text(fmt::format("{}/info/{}/cbm_mask", resctrl.root(), resource));
  uint64_t mask = 0;
  bool good = text && std::from_chars(text->data(), text->data() + text->size(), mask, 16).ec == std::errc();
  return good ? std::optional(mask) : std::nullopt;
}

// Returns the kernel's reason for refusing the last write.
std::string last_refusal(const Resctrl& resctrl) {
  std::string text = read_text(resctrl.root() + "/info/last_cmd_status").value_or("");
  while (text.ends_with('\n')) text.pop_back();
  return text.empty() || text == "ok" ? "" : fmt::format(" ({})", text);
}

Status write_schemata(const Resctrl& resctrl, const std::string& group, const std::string& lines) {
  UniqueFd file(::open((group + "/schemata").c_str(), O_WRONLY | O_CLOEXEC));
  if (file.valid() && ::write(file.get(), lines.data(), lines.size()) == static_cast<ssize_t>(lines.size()))
    return {};
  int error = errno;
  return make_error(error == EINVAL ? ErrorCode::kInvalidArgument : ErrorCode::kIo,
                    "the kernel rejects '{}' in a group's schemata: {}{}", lines.substr(0, lines.size() - 1),
                    errno_text(error), last_refusal(resctrl));
}

}  // namespace

uint64_t ways_of_caches(const Resctrl& resctrl) {
  std::optional<uint64_t> whole = mask_in(resctrl, kWhole);
  return whole ? *whole : mask_in(resctrl, kCode).value_or(0);
}

std::string schemata_lines(const Resctrl& resctrl, const std::vector<uint32_t>& domains, uint64_t ways) {
  std::string lines;
  for (std::string_view resource : {kWhole, kCode, kData}) {
    if (!mask_in(resctrl, resource)) continue;
    lines += fmt::format("{}:", resource);
    for (size_t i = 0; i < domains.size(); ++i)
      lines += fmt::format("{}{}={:x}", i == 0 ? "" : ";", domains[i], ways);
    lines += '\n';
  }
  return lines;
}

Result<std::unique_ptr<BoundedGroup>> BoundedGroup::make(std::shared_ptr<ResctrlState> state, uint64_t ways) {
  const Resctrl& resctrl = state->resctrl();
  uint64_t all = ways_of_caches(resctrl);
  if (all == 0)
    return make_error(ErrorCode::kUnsupported,
                      "the processor cannot partition its last-level cache: {}/info/L3 does not exist",
                      resctrl.root());
  if ((ways & ~all) != 0)
    return make_error(ErrorCode::kInvalidArgument, "the cache has the ways {:x}, but {:x} contains others",
                      all, ways);
  Result<OwnedFolder> folder = OwnedFolder::make(resctrl.root());
  if (!folder) return folder.error();
  std::string lines = schemata_lines(resctrl, state->domains(), ways);
  if (Status written = write_schemata(resctrl, folder->path(), lines); !written) return written.error();
  state->own(*folder);
  return std::unique_ptr<BoundedGroup>(new BoundedGroup(std::move(state), *std::move(folder)));
}

BoundedGroup::~BoundedGroup() { state_->forget_group(folder_); }

Status BoundedGroup::add(pid_t thread) {
  state_->thread_places().forget();
  ThreadPlace place = state_->thread_places().find(thread);
  bool is_bounded = !place.control.empty() && !state_->is_own(place.control);
  bool is_monitored = !place.monitor.empty() && !state_->is_own(place.monitor);
  if (is_bounded || is_monitored)
    return make_error(ErrorCode::kUnsupported, "thread {} is in {}, another program's group, and stays there",
                      thread, is_bounded ? place.control : place.monitor);
  Status added = threads_.add(thread);
  threads_.close();
  return added;
}

std::vector<Reading> BoundedGroup::read() {
  return counters_.read(state_->domains_version()).value_or(std::vector<Reading>());
}

}  // namespace hm::rdt
