// SPDX-License-Identifier: MIT
#include "agent/window_files.h"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "record/output.h"
#include "view/exports/pprof.h"

namespace hm::agent {
namespace {

Status replace(const std::string& path, const std::function<Status(const exports::Write&)>& write) {
  std::string part = path + ".part";
  std::error_code ignored;
  std::filesystem::remove(part, ignored);
  Result<record::Output> output = record::Output::create(part);
  if (!output) return output.error();
  Status written =
      write([&](std::string_view text) { return output->write(std::as_bytes(std::span(text))); });
  if (written) written = output->close();
  if (!written) {
    std::filesystem::remove(part, ignored);
    return written;
  }
  if (::rename(part.c_str(), path.c_str()) == 0) return {};
  return make_error(ErrorCode::kIo, "cannot write {}: {}", path, errno_text(errno));
}

}  // namespace

std::string pprof_file(const std::string& folder) { return folder + "/window.pprof"; }
std::string otlp_file(const std::string& folder) { return folder + "/window.otlp"; }

void remove_window_files(const std::string& folder) {
  std::error_code ignored;
  std::filesystem::remove(pprof_file(folder), ignored);
  std::filesystem::remove(otlp_file(folder), ignored);
}

Status write_window_pprof(const std::string& folder, const profile::Profile& profile,
                          const symbol::Resolver& resolver, const Privacy& privacy, double began_s,
                          uint64_t lasts_ns) {
  std::vector<size_t> samples;
  for (size_t sample = 0; sample < profile.samples.size(); ++sample) {
    if (profile.threads[profile.samples.thread[sample]].pid != 0) samples.push_back(sample);
  }
  exports::PprofOptions options{
      {privacy.paths, privacy.functions}, static_cast<uint64_t>(began_s * 1e9), lasts_ns};
  return replace(pprof_file(folder), [&](const exports::Write& write) {
    return exports::write_pprof({profile, samples, resolver}, write, options);
  });
}

Status write_window_otlp(const std::string& folder, const std::string& request) {
  return replace(otlp_file(folder), [&](const exports::Write& write) { return write(request); });
}

}  // namespace hm::agent
