// SPDX-License-Identifier: MIT
#include "agent/otlp_export.h"

#include <cerrno>
#include <filesystem>
#include <optional>
#include <string_view>

#include "agent/window_files.h"
#include "base/text_file.h"
#include "http/client.h"
#include "view/exports/text.h"

namespace hm::agent {
namespace {

constexpr size_t kMaxRequestBytes = size_t{64} << 20;  // far more than store::kMaxRows take
constexpr size_t kMaxWords = 200;                      // length of a reply in a message
constexpr auto kTimeout = std::chrono::seconds(10);

// An ExportProfilesServiceResponse after full success is empty or has an empty `partial_success`.
bool is_full_success(std::string_view body) {
  using namespace std::string_view_literals;
  return body.empty() || body == "\x0a\x00"sv;
}

// Sends the request in the file, and removes the file.
Status post(const std::string& url, const std::string& file) {
  std::optional<std::string> request = read_text(file, kMaxRequestBytes);
  if (!request) return make_error(ErrorCode::kIo, "cannot read {}: {}", file, errno_text(errno));
  std::error_code ignored;
  std::filesystem::remove(file, ignored);
  http::ClientOptions options;
  options.patience = kTimeout;
  Result<http::Client> client = http::Client::make(options);
  if (!client) return client.error();
  Result<http::Reply> reply = client->post(url, "application/x-protobuf", *request);
  if (!reply) return reply.error();
  std::string words = exports::one_line(std::string_view(reply->body).substr(0, kMaxWords));
  if (reply->status != 200)
    return make_error(ErrorCode::kIo, "{} rejects profiles: status {}, {}", url, reply->status, words);
  if (!is_full_success(reply->body))
    return make_error(ErrorCode::kIo, "{} rejected some profiles, or warns: {}", url, words);
  return {};
}

}  // namespace

Status check_otlp_url(const std::string& url) {
  bool is_http = url.starts_with("http://") || url.starts_with("https://");
  if (!is_http || url.find_first_of(" \t\r\n") != std::string::npos)
    return make_error(
        ErrorCode::kInvalidArgument,
        "cannot send profiles to '{}': give an address such as https://collector:4318/v1development/profiles",
        url);
  size_t host = url.find("://") + 3;
  if (url.substr(host, url.find('/', host) - host).find('@') != std::string::npos)
    return make_error(
        ErrorCode::kInvalidArgument,
        "the address for profiles contains a user name or password, which every user of this machine could see: send to a collector that needs none");
  return {};
}

void OtlpExport::begin() {
  std::string file = otlp_file(folder_);
  std::error_code error;
  if (child_ || !trouble_.lets_try() || !std::filesystem::exists(file, error)) return;
  Result<Child> child = Child::start([&] { return post(url_, file); });
  if (child)
    child_.emplace(*std::move(child));
  else
    note(child.error());
}

bool OtlpExport::has_ended(std::chrono::milliseconds patience) {
  if (!child_ || !child_->ends_within(patience)) return false;
  note(child_->result());
  child_.reset();
  return true;
}

void OtlpExport::note(const Status& done) {
  ++(done ? counts_.done : counts_.failed);
  trouble_.note(done, log_);
}

}  // namespace hm::agent
