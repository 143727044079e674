// SPDX-License-Identifier: MIT
#include "lsp/lsp_session.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <utility>

#include "base/unexpected_error.h"
#include "lsp/document.h"

namespace hm::lsp {
namespace {

using Json = nlohmann::ordered_json;
using Pointer = nlohmann::json::json_pointer;

constexpr int kNotInitialized = -32002;  // an error code of the protocol
constexpr int kWarning = 2;              // a value of the protocol's MessageType

// Returns the text at a place in the parameters, nullopt if there is none.
std::optional<std::string> text_at(const nlohmann::json& params, const char* place) {
  Pointer pointer(place);
  if (!params.contains(pointer) || !params.at(pointer).is_string()) return std::nullopt;
  return params.at(pointer).get<std::string>();
}

bool is_true_at(const nlohmann::json& params, const char* place) {
  Pointer pointer(place);
  return params.contains(pointer) && params.at(pointer) == true;
}

bool lists(const nlohmann::json& params, const char* place, const char* word) {
  Pointer pointer(place);
  if (!params.contains(pointer) || !params.at(pointer).is_array()) return false;
  return std::ranges::any_of(params.at(pointer), [&](const nlohmann::json& each) { return each == word; });
}

std::string canonical(const std::string& path) {
  std::error_code error;
  std::string found = std::filesystem::weakly_canonical(path, error).string();
  return error ? path : found;
}

// Returns the folder that the editor works in, empty if it names none.
std::string folder_in(const nlohmann::json& params) {
  for (const char* place : {"/workspaceFolders/0/uri", "/rootUri"}) {
    if (std::optional<std::string> uri = text_at(params, place)) return path_of_uri(*uri).value_or("");
  }
  return text_at(params, "/rootPath").value_or("");
}

// `line` counts from 1, as in recordings; the protocol counts from 0.
Json range_of(uint32_t line, const Span& span) {
  return {{"start", {{"line", line - 1}, {"character", span.begin}}},
          {"end", {{"line", line - 1}, {"character", span.end}}}};
}

std::string greeting(const std::string& version) {
  constexpr int kFullText = 1;  // a value of the protocol's TextDocumentSyncKind
  Json capabilities{{"positionEncoding", "utf-16"},
                    {"textDocumentSync", {{"openClose", true}, {"change", kFullText}}},
                    {"codeLensProvider", {{"resolveProvider", false}}},
                    {"hoverProvider", true}};
  return compact_json({{"capabilities", std::move(capabilities)},
                       {"serverInfo", {{"name", "hardmeter"}, {"version", version}}}});
}

}  // namespace

void Session::receive(std::string_view text) {
  for (const rpc::Decoded& each : rpc::decode(text)) {
    if (const auto* refusal = std::get_if<rpc::Refusal>(&each)) {
      options_.send(rpc::error(*refusal));
      continue;
    }
    const auto& message = std::get<rpc::Message>(each);
    if (message.kind == rpc::Message::Kind::kRequest) answer(message);
    if (message.kind == rpc::Message::Kind::kNotification) obey(message);
  }
}

void Session::refuse_long_message() {
  options_.send(rpc::error({{}, rpc::kInvalidRequest, "the message is too long"}));
}

void Session::answer(const rpc::Message& request) {
  const auto refuse = [&](int code, const std::string& sentence) {
    options_.send(rpc::error({request.id, code, sentence}));
  };
  const std::string& method = request.method;
  if (method == "initialize" && !initialized_) return initialize(request);
  if (!initialized_) return refuse(kNotInitialized, "the first request must be `initialize`");
  if (shut_down_ || method == "initialize")
    return refuse(rpc::kInvalidRequest, "this request must not come now");
  if (method == "shutdown") {
    shut_down_ = true;
    return options_.send(rpc::response(request.id, "null"));
  }
  if (method != "textDocument/codeLens" && method != "textDocument/hover")
    return refuse(rpc::kMethodNotFound, fmt::format("there is no method `{}`", method));
  bool is_first = reading_ && !shown_;
  if (is_first)
    waiting_.push_back(request);
  else
    answer_about_document(request);
}

void Session::initialize(const rpc::Message& request) {
  initialized_ = true;
  refreshes_ = is_true_at(request.params, "/capabilities/workspace/codeLens/refreshSupport");
  markdown_ = lists(request.params, "/capabilities/textDocument/hover/contentFormat", "markdown");
  if (!options_.recording.empty())
    options_.recording = std::filesystem::absolute(options_.recording).string();
  // Source files are also searched for below the current folder.
  if (std::string folder = folder_in(request.params); !folder.empty()) (void)::chdir(folder.c_str());
  options_.send(rpc::response(request.id, greeting(options_.version)));
  seen_ = version_now();
  if (seen_) start_reading(*seen_);
}

void Session::obey(const rpc::Message& notification) {
  const std::string& method = notification.method;
  const nlohmann::json& params = notification.params;
  if (method == "exit") exit_status_ = shut_down_ ? 0 : 1;
  std::optional<std::string> uri = text_at(params, "/textDocument/uri");
  if (!initialized_ || !uri) return;
  if (method == "textDocument/didOpen") {
    std::optional<std::string> text = text_at(params, "/textDocument/text");
    if (text) take_document(*uri, *text);
    publish(*uri);
  }
  if (method == "textDocument/didChange") {
    std::optional<std::string> text = text_at(params, "/contentChanges/0/text");
    if (text && documents_.contains(*uri)) documents_[*uri].text = *text;
  }
  if (method == "textDocument/didClose" && documents_.contains(*uri)) {
    documents_[*uri].path.clear();  // has no notes
    publish(*uri);
    documents_.erase(*uri);
  }
}

void Session::take_document(const std::string& uri, const std::string& text) {
  std::optional<std::string> path = path_of_uri(uri);
  if (path) documents_[uri] = {canonical(*path), text};
}

const std::map<uint32_t, Note>* Session::notes_of(const Document& document) const {
  auto found = notes_.find(document.path);
  return found == notes_.end() ? nullptr : &found->second;
}

void Session::answer_about_document(const rpc::Message& request) {
  std::optional<std::string> uri = text_at(request.params, "/textDocument/uri");
  auto document = documents_.find(uri.value_or(""));
  if (document == documents_.end())
    return options_.send(
        rpc::error({request.id, rpc::kInvalidParams, "`textDocument.uri` is not an open document"}));
  bool is_lens = request.method == "textDocument/codeLens";
  options_.send(rpc::response(request.id,
                              is_lens ? lenses(document->second) : hover(document->second, request.params)));
}

std::string Session::lenses(const Document& document) const {
  Json all = Json::array();
  const std::map<uint32_t, Note>* notes = notes_of(document);
  if (notes == nullptr) return "[]";
  struct stat file {};
  bool is_older =
      shown_ && ::stat(document.path.c_str(), &file) == 0 && file.st_mtim.tv_sec > shown_->seconds;
  for (const auto& [line, note] : *notes) {
    std::optional<Span> span = span_of_line(document.text, line);
    if (!span) continue;
    std::string title = note.lens + (is_older ? " (recorded before the file changed)" : "");
    all.push_back({{"range", range_of(line, *span)}, {"command", {{"title", title}, {"command", ""}}}});
  }
  return compact_json(all);
}

std::string Session::hover(const Document& document, const nlohmann::json& params) const {
  Pointer place("/position/line");
  const std::map<uint32_t, Note>* notes = notes_of(document);
  if (notes == nullptr || !params.contains(place) || !params.at(place).is_number_unsigned()) return "null";
  uint64_t line = params.at(place).get<uint64_t>() + 1;
  auto note = line > UINT32_MAX ? notes->end() : notes->find(static_cast<uint32_t>(line));
  if (note == notes->end()) return "null";
  std::optional<Span> span = span_of_line(document.text, note->first);
  if (!span) return "null";
  std::string text = markdown_ ? fmt::format("```text\n{}```", note->second.hover) : note->second.hover;
  return compact_json({{"contents", {{"kind", markdown_ ? "markdown" : "plaintext"}, {"value", text}}},
                       {"range", range_of(note->first, *span)}});
}

void Session::publish(const std::string& uri) {
  auto document = documents_.find(uri);
  if (document == documents_.end()) return;
  Json all = Json::array();
  if (const std::map<uint32_t, Note>* notes = notes_of(document->second)) {
    for (const auto& [line, note] : *notes) {
      std::optional<Span> span = span_of_line(document->second.text, line);
      if (!span) continue;
      for (const Finding& each : note.findings) {
        Json diagnostic{{"range", range_of(line, *span)},
                        {"severity", static_cast<int>(each.severity)},
                        {"source", "hardmeter"},
                        {"message", each.message}};
        if (!each.pattern.empty()) diagnostic["code"] = each.pattern;
        all.push_back(std::move(diagnostic));
      }
    }
  }
  options_.send(rpc::notification("textDocument/publishDiagnostics",
                                  compact_json({{"uri", uri}, {"diagnostics", std::move(all)}})));
}

std::optional<Session::Version> Session::version_now() const {
  std::vector<std::string> paths{options_.recording};
  if (options_.recording.empty()) paths = {"hardmeter.data", "perf.data"};
  for (const std::string& path : paths) {
    struct stat file {};
    if (::stat(path.c_str(), &file) != 0 || file.st_size == 0) continue;
    return Version{path, file.st_ino, static_cast<uint64_t>(file.st_size), file.st_mtim.tv_sec,
                   file.st_mtim.tv_nsec};
  }
  return std::nullopt;
}

void Session::start_reading(const Version& version) {
  reading_ = version;
  worker_.add([this, path = version.path] {
    Result<Notes> notes = without_exceptions([&] { return options_.read(path); });
    MutexLock guard(mutex_);
    read_ = std::move(notes);
  });
}

// A mistyped name would look like a program without misses.
void Session::tell_missing() {
  if (std::exchange(told_missing_, true)) return;
  std::string names = options_.recording.empty() ? "hardmeter.data or perf.data" : options_.recording;
  Json params{
      {"type", kWarning},
      {"message", fmt::format("hardmeter: there is no recording {}; notes appear when it is made", names)}};
  options_.send(rpc::notification("window/logMessage", compact_json(params)));
}

void Session::look() {
  if (!initialized_) return;
  show_what_was_read();
  std::optional<Version> now = version_now();
  if (!now && !shown_) tell_missing();
  constexpr int64_t kSettledSeconds = 2;
  int64_t age = now ? ::time(nullptr) - now->seconds : 0;
  bool has_settled = now == seen_ && (age >= kSettledSeconds || age < 0);
  seen_ = now;
  if (now && has_settled && !reading_ && now != shown_) start_reading(*now);
}

void Session::show_what_was_read() {
  std::optional<Result<Notes>> notes;
  {
    MutexLock guard(mutex_);
    notes.swap(read_);
  }
  if (!notes) return;
  shown_ = reading_;
  reading_.reset();
  if (*notes) {
    notes_ = *std::move(*notes);
    for (const auto& [uri, document] : documents_) publish(uri);
  } else {
    Json params{{"type", kWarning}, {"message", "hardmeter: " + notes->error().message}};
    options_.send(rpc::notification("window/logMessage", compact_json(params)));
  }
  for (const rpc::Message& each : waiting_) answer_about_document(each);
  waiting_.clear();
  if (refreshes_)
    options_.send(
        compact_json({{"jsonrpc", "2.0"}, {"id", ++next_id_}, {"method", "workspace/codeLens/refresh"}}));
}

}  // namespace hm::lsp
