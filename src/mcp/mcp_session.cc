// SPDX-License-Identifier: MIT
#include "mcp/mcp_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/unexpected_error.h"

namespace hm::mcp {
namespace {

using Json = nlohmann::ordered_json;

// Versions of the protocol, newest first. They differ in nothing that this server does.
constexpr std::array<std::string_view, 3> kVersions{"2025-06-18", "2025-03-26", "2024-11-05"};

constexpr std::string_view kInstructions =
    "hardmeter finds where a program misses the cache, why, and what to change. Begin with `run`, which measures a command and writes perf.data. Then `explain` gives the reason and a change for each place, and `annotate` shows a function's lines. After a change, call `run` again and `diff`, which compares perf.data.old with perf.data. Numbers with an interval are estimates; a number that was not measured is absent or null.";

std::string greeting(const rpc::Message& request, const std::string& own_version) {
  nlohmann::json wanted = request.params.value("protocolVersion", nlohmann::json());
  auto known = std::ranges::find_if(kVersions, [&](std::string_view each) { return wanted == each; });
  Json out{{"protocolVersion", known == kVersions.end() ? kVersions.front() : *known},
           {"capabilities", {{"tools", {{"listChanged", false}}}}},
           {"serverInfo", {{"name", "hardmeter"}, {"title", "hardmeter"}, {"version", own_version}}},
           {"instructions", kInstructions}};
  return compact_json(out);
}

std::string list_of(const std::vector<Tool>& tools) {
  Json list = Json::array();
  for (const Tool& each : tools) {
    list.push_back({{"name", each.name},
                    {"title", each.title},
                    {"description", each.description},
                    {"inputSchema", schema_of(each.arguments)},
                    {"annotations",
                     {{"title", each.title},
                      {"readOnlyHint", !each.runs_programs},
                      {"destructiveHint", each.runs_programs},
                      {"idempotentHint", !each.runs_programs},
                      {"openWorldHint", each.runs_programs}}}});
  }
  return compact_json({{"tools", std::move(list)}});
}

// Returns the result of a call, with its fields if it has them.
std::string result_of(const std::vector<std::string>& texts, bool is_error, const std::string& fields) {
  Json content = Json::array();
  for (const std::string& each : texts) content.push_back({{"type", "text"}, {"text", each}});
  std::string structured = fields.empty() ? "" : fmt::format(R"(,"structuredContent":{})", fields);
  return fmt::format(R"({{"content":{},"isError":{}{}}})", compact_json(content), is_error, structured);
}

// Returns the client's token for progress, null if it wants none.
nlohmann::json progress_token(const rpc::Message& request) {
  nlohmann::json meta = request.params.value("_meta", nlohmann::json());
  if (!meta.is_object()) return {};
  nlohmann::json token = meta.value("progressToken", nlohmann::json());
  return token.is_string() || token.is_number_integer() ? token : nlohmann::json();
}

}  // namespace

Session::~Session() {
  MutexLock guard(mutex_);
  for (auto& [id, running] : running_) running->ends = true;
}

void Session::send(const std::string& message) {
  MutexLock guard(sending_);
  options_.send(message);
}

void Session::refuse(const rpc::Refusal& refusal) { send(rpc::error(refusal)); }

void Session::receive(std::string_view text) {
  for (const rpc::Decoded& each : rpc::decode(text)) {
    if (const auto* refusal = std::get_if<rpc::Refusal>(&each))
      refuse(*refusal);
    else
      take(std::get<rpc::Message>(each));
  }
}

void Session::refuse_long_message() {
  refuse(
      {{}, rpc::kInvalidRequest, fmt::format("the message is longer than {} bytes", rpc::kMaxMessageBytes)});
}

void Session::take(const rpc::Message& message) {
  if (message.kind == rpc::Message::Kind::kRequest) answer(message);
  bool cancels =
      message.kind == rpc::Message::Kind::kNotification && message.method == "notifications/cancelled";
  if (cancels) cancel(message.params);
}

void Session::answer(const rpc::Message& request) {
  const std::string& method = request.method;
  if (method == "ping") return send(rpc::response(request.id, "{}"));
  if (method == "initialize") {
    initialized_ = true;
    return send(rpc::response(request.id, greeting(request, options_.version)));
  }
  bool is_known = method == "tools/list" || method == "tools/call";
  if (!is_known)
    return refuse({request.id, rpc::kMethodNotFound, fmt::format("there is no method `{}`", method)});
  if (!initialized_)
    return refuse({request.id, rpc::kInvalidRequest, "the first request must be `initialize`"});
  if (method == "tools/list") return send(rpc::response(request.id, list_of(options_.tools)));
  start_call(request);
}

void Session::start_call(const rpc::Message& request) {
  nlohmann::json name = request.params.value("name", nlohmann::json());
  if (!name.is_string())
    return refuse({request.id, rpc::kInvalidParams, "`name` must be the name of a tool"});
  auto tool = std::ranges::find_if(options_.tools, [&](const Tool& each) { return name == each.name; });
  if (tool == options_.tools.end())
    return refuse(
        {request.id, rpc::kInvalidParams, fmt::format("there is no tool `{}`", name.get<std::string>())});
  auto running = std::make_shared<Running>();
  {
    MutexLock guard(mutex_);
    if (!running_.emplace(json_line(request.id), running).second)
      return refuse({request.id, rpc::kInvalidRequest, "another request with this `id` is not answered yet"});
  }
  rpc::Worker& worker = tool->runs_programs ? runs_ : queries_;
  worker.add([this, tool, request, running] { make_call(*tool, request, *running); });
}

void Session::make_call(const Tool& tool, const rpc::Message& request, Running& running) {
  nlohmann::json token = progress_token(request);
  auto progress = [&](double seconds, const std::string& sentence) {
    Json params{{"progressToken", token}, {"progress", seconds}, {"message", sentence}};
    if (!token.is_null() && !running.cancelled)
      send(rpc::notification("notifications/progress", compact_json(params)));
  };
  Result<Answer> answer = without_exceptions([&]() -> Result<Answer> {
    if (tool.runs_programs && running.ends)
      return make_error(ErrorCode::kUnsupported, "nothing was run: the session has ended");
    Result<Arguments> arguments =
        Arguments::read(request.params.value("arguments", nlohmann::json::object()), tool.arguments);
    if (!arguments) return arguments.error();
    return tool.call({*arguments, options_.recorder, running.ends, progress});
  });
  {
    MutexLock guard(mutex_);
    running_.erase(json_line(request.id));
  }
  if (running.cancelled) return;
  send(rpc::response(request.id, answer ? result_of(answer->texts, false, answer->json)
                                        : result_of({answer.error().message}, true, "")));
}

void Session::cancel(const nlohmann::json& params) {
  MutexLock guard(mutex_);
  auto found = running_.find(json_line(params.value("requestId", nlohmann::json())));
  if (found == running_.end()) return;
  found->second->cancelled = true;
  found->second->ends = true;
}

}  // namespace hm::mcp
