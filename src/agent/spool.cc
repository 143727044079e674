// SPDX-License-Identifier: MIT
#include "agent/spool.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>

#include "agent/roll_up.h"
#include "base/take_until.h"
#include "base/text_file.h"
#include "base/write_text.h"

namespace hm::agent {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".batch", kUnfinished = ".part", kMerged = ".merged";
// File with the name of a new batch, then those that it replaces.
constexpr std::string_view kReplaced = "replaced";
constexpr size_t kMaxBytes = size_t{64} << 20;  // file size: far more than store::kMaxRows take
constexpr size_t kAtOnce = 8;                   // number of batches merged at once

// The name is TIME-ID[+MERGES][@SERVER].batch. IDs contain neither '+' nor '@'.
std::string name_of(uint64_t time_s, std::string_view id, unsigned merges) {
  return fmt::format("{:012}-{}{}{}", time_s, id, merges == 0 ? "" : fmt::format("+{}", merges), kEnding);
}

Waiting parse_name(const std::string& name) {
  Waiting waiting{name, 0, "", 0};
  std::string_view rest(name);
  rest.remove_suffix(kEnding.size());
  std::string_view own = take_until(rest, '@');
  waiting.server = rest;
  take_until(own, '+');
  std::from_chars(own.data(), own.data() + own.size(), waiting.merges);
  return waiting;
}

Error failed(std::string_view what, const std::string& path, int error) {
  return make_error(ErrorCode::kIo, "cannot {} {}: {}", what, path, errno_text(error));
}

// Syncs the folder, so that new and removed names survive a power loss.
Status sync_folder(const std::string& folder) {
  UniqueFd opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.valid() || ::fsync(opened.get()) != 0) return failed("sync", folder, errno);
  return {};
}

// Returns the names of the files in the folder, which may change meanwhile. Sets `error` if it cannot be
// read.
std::vector<std::string> file_names(const std::string& folder, std::error_code& error) {
  std::vector<std::string> names;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    names.push_back(entry->path().filename().string());
  return names;
}

// Returns the oldest kAtOnce consecutive batches that were merged equally often, so that older data becomes
// coarser. Otherwise returns the two oldest batches.
std::vector<Waiting> next_to_merge(const std::vector<Waiting>& all) {
  for (size_t begin = 0, i = 1; i < all.size(); ++i) {
    if (all[i].merges != all[begin].merges) begin = i;
    if (i + 1 - begin == kAtOnce)
      return {all.begin() + static_cast<ptrdiff_t>(begin), all.begin() + static_cast<ptrdiff_t>(i) + 1};
  }
  return {all.begin(), all.begin() + static_cast<ptrdiff_t>(std::min<size_t>(all.size(), 2))};
}

}  // namespace

Result<Spool> Spool::open(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return make_error(ErrorCode::kIo, "cannot create the folder {}: {}", folder, error.message());
  fs::permissions(folder, fs::perms::owner_all, error);
  std::string path = folder + "/lock";
  UniqueFd lock(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!lock.valid()) return failed("open", path, errno);
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0)
    return make_error(ErrorCode::kPermission, "another agent uses the folder {}: each agent needs its own",
                      folder);
  Spool spool(folder, std::move(lock));
  if (Status finished = spool.finish_replacing(); !finished) return finished.error();
  // Removes partial files left by a crash.
  for (const std::string& name : file_names(folder, error)) {
    std::error_code ignored;
    if (name.ends_with(kUnfinished) || name.ends_with(kMerged)) fs::remove(spool.path_of(name), ignored);
  }
  if (error) return make_error(ErrorCode::kIo, "cannot read the folder {}: {}", folder, error.message());
  return spool;
}

// Writes a file completely and synced, or not at all.
Status Spool::put(const std::string& name, const std::string& text) {
  std::string part = path_of(name) + std::string(kUnfinished);
  if (Status written = write_text(part, text, 0600); !written) {
    std::error_code ignored;
    fs::remove(part, ignored);
    return written;
  }
  if (::rename(part.c_str(), path_of(name).c_str()) != 0) return failed("rename", part, errno);
  return sync_folder(folder_);
}

Status Spool::add(const store::Batch& batch) {
  return put(name_of(batch.time_s, batch.id, 0), store::write_batch(batch));
}

Result<std::vector<Waiting>> Spool::waiting() {
  if (Status finished = finish_replacing(); !finished) return finished.error();
  std::vector<Waiting> all;
  std::error_code error;
  for (const std::string& name : file_names(folder_, error)) {
    if (!name.ends_with(kEnding)) continue;
    Waiting& waiting = all.emplace_back(parse_name(name));
    std::error_code gone;
    if (uint64_t size = fs::file_size(path_of(name), gone); !gone) waiting.bytes = size;
  }
  if (error) return make_error(ErrorCode::kIo, "cannot read the folder {}: {}", folder_, error.message());
  std::ranges::sort(all, {}, &Waiting::name);
  return all;
}

Result<store::Batch> Spool::read(const Waiting& waiting) const {
  std::string path = path_of(waiting.name);
  std::optional<std::string> text = read_text(path, kMaxBytes);
  if (!text) return failed("read", path, errno);
  Result<store::Batch> batch = store::read_batch(*text, path);
  if (!batch) {
    std::error_code ignored;
    fs::rename(path, path + ".damaged", ignored);
  }
  return batch;
}

Status Spool::note_attempt(Waiting& waiting, const std::string& server) {
  if (waiting.server == server) return {};
  std::string stem = waiting.name.substr(0, waiting.name.size() - kEnding.size());
  std::string name = stem.substr(0, stem.find('@')) + '@' + server + std::string(kEnding);
  if (::rename(path_of(waiting.name).c_str(), path_of(name).c_str()) != 0)
    return failed("rename", path_of(waiting.name), errno);
  waiting.name = name;
  waiting.server = server;
  return sync_folder(folder_);
}

Status Spool::remove(const Waiting& waiting) {
  std::string path = path_of(waiting.name);
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) return failed("remove", path, errno);
  return {};
}

Status Spool::bound(uint64_t max_bytes) {
  for (;;) {
    Result<std::vector<Waiting>> all = waiting();
    if (!all) return all.error();
    uint64_t bytes = 0;
    for (const Waiting& each : *all) bytes += each.bytes;
    std::erase_if(*all, [](const Waiting& each) { return !each.server.empty(); });
    if (bytes <= max_bytes || all->empty()) return {};
    std::vector<Waiting> olds = next_to_merge(*all);
    Result<bool> smaller = olds.size() > 1 ? replace(olds) : Result<bool>(false);
    if (!smaller) return smaller.error();
    if (Status removed = *smaller ? Status() : remove(all->front()); !removed) return removed;
  }
}

// Replaces several batches by one. Returns false if it would hardly be smaller. The file kReplaced lists the
// names from the completion of the new batch to the removal of the old ones. This prevents sending both.
Result<bool> Spool::replace(const std::vector<Waiting>& olds) {
  std::vector<store::Batch> batches;
  uint64_t bytes = 0;
  size_t rows = 0;
  unsigned merges = 0;
  std::string names;
  for (const Waiting& old : olds) {
    Result<store::Batch> batch = read(old);
    if (!batch) return batch.error();
    bytes += old.bytes;
    rows += batch->rows.size();
    merges = std::max(merges, old.merges + 1);
    names += old.name + '\n';
    batches.push_back(*std::move(batch));
  }
  Result<std::string> id = make_batch_id(batches.front().host, batches.front().time_s);
  if (!id) return id.error();
  store::Batch merged = merge(batches, *std::move(id));
  coarsen(merged.rows, std::min(rows / 2, store::kMaxRows));
  std::string text = store::write_batch(merged);
  if (merged.rows.size() > store::kMaxRows || text.size() > bytes / 4 * 3) return false;
  std::string name = name_of(merged.time_s, merged.id, merges);
  if (Status written = put(name + std::string(kMerged), text); !written) return written.error();
  if (Status noted = put(std::string(kReplaced), name + '\n' + names); !noted) return noted.error();
  if (Status finished = finish_replacing(); !finished) return finished.error();
  return true;
}

Status Spool::finish_replacing() {
  std::string list = path_of(std::string(kReplaced));
  std::optional<std::string> text = read_text(list, kMaxBytes);
  if (!text && errno == ENOENT) return {};
  if (!text) return failed("read", list, errno);
  std::string_view rest(*text);
  std::string path = path_of(std::string(take_until(rest, '\n'))), merged = path + std::string(kMerged);
  if (::rename(merged.c_str(), path.c_str()) != 0 && errno != ENOENT) return failed("rename", merged, errno);
  while (!rest.empty()) {
    std::string old = path_of(std::string(take_until(rest, '\n')));
    if (::unlink(old.c_str()) != 0 && errno != ENOENT) return failed("remove", old, errno);
  }
  if (Status synced = sync_folder(folder_); !synced) return synced;
  return ::unlink(list.c_str()) == 0 ? sync_folder(folder_) : Status(failed("remove", list, errno));
}

Result<std::string> make_batch_id(const std::string& host, uint64_t time_s) {
  uint64_t random[2];
  if (::getrandom(random, sizeof(random), 0) != sizeof(random))
    return make_error(ErrorCode::kIo, "the kernel returns no random numbers: {}", errno_text(errno));
  std::string name;
  for (char c : host) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '-';
  return fmt::format("{}-{}-{:016x}{:016x}", name.substr(0, 40), time_s, random[0], random[1]);
}

}  // namespace hm::agent
