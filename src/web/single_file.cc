// SPDX-License-Identifier: MIT
#include "web/single_file.h"

#include <fmt/format.h>
#include <zlib.h>

#include <string_view>

#include "view/json/values.h"
#include "web/page.h"

namespace hm::web {
namespace {

using json::Json;

struct Request {
  std::string path;
  Parameters::Given parameters;
};

// Returns the key that the page uses (ui/src/requests.ts): parameters by name, without escaping.
std::string key_of(const Request& request) {
  std::string key = request.path;
  char before = '?';
  for (const auto& [name, value] : request.parameters) {
    key += fmt::format("{}{}={}", before, name, value);
    before = '&';
  }
  return key;
}

// Makes the page's requests with the same parameters, and stores the answers.
class Answers {
 public:
  explicit Answers(Api& api) : api_(api) {}

  // Errors are stored as answers too, with the reason in "error".
  Json ask(const Request& request) {
    Answer answer = api_.answer(request.path, request.parameters);
    Json json = Json::parse(answer.json, nullptr, false);
    answers_[key_of(request)] = json;
    return json;
  }
  [[nodiscard]] std::string text() const { return compact_json(answers_); }

 private:
  Api& api_;
  Json answers_ = Json::object();
};

void query_code(Answers& answers, const std::string& recording, const Json& rows) {
  constexpr size_t kMaxFunctions = 60;
  size_t asked = 0;
  for (const Json& row : rows) {
    if (++asked > kMaxFunctions) return;
    Request request{"annotate", {{"recording", recording}, {"function", row["function"]}}};
    if (row["dso"].is_string()) request.parameters["dso"] = row["dso"];
    answers.ask(request);
  }
}

void query_event(Answers& answers, const std::string& recording, const std::string& event) {
  answers.ask({"flame",
               {{"recording", recording},
                {"event", event},
                {"inverted", "0"},
                {"limit", "12000"},
                {"processes", "1"}}});
  for (const char* by : {"thread", "cpu"})
    answers.ask({"timeline", {{"recording", recording}, {"event", event}, {"by", by}, {"columns", "400"}}});
}

void query_recording(Answers& answers, const std::string& recording) {
  for (const char* sort : {"function", "line", "object", "type", "thread"}) {
    Json found = answers.ask(
        {"hotspots", {{"recording", recording}, {"sort", sort}, {"callers", "0"}, {"limit", "1000"}}});
    if (std::string_view(sort) == "function" && found.contains("rows"))
      query_code(answers, recording, found["rows"]);
  }
  Json causes = answers.ask({"explain", {{"recording", recording}, {"limit", "20"}, {"min_share", "0.5"}}});
  if (causes.contains("events"))
    for (const Json& event : causes["events"]) query_event(answers, recording, event["name"]);
  answers.ask({"occupancy", {{"recording", recording}, {"cells", "200"}}});
  for (const char* level : {"l1d", "l2", "l3"})
    answers.ask({"map", {{"recording", recording}, {"level", level}, {"columns", "160"}}});
  answers.ask({"sizes", {{"recording", recording}, {"by", "function"}, {"limit", "20"}}});
}

void query_each_pair(Answers& answers, size_t recordings) {
  for (size_t before = 0; before < recordings; ++before) {
    for (size_t after = 0; after < recordings; ++after) {
      for (const char* sort : {"function", "line"}) {
        if (before == after) continue;
        answers.ask(
            {"diff", {{"before", std::to_string(before)}, {"after", std::to_string(after)}, {"sort", sort}}});
      }
    }
  }
}

// Compresses to the zlib format (RFC 1950), which browsers call "deflate".
std::string compressed(const std::string& text) {
  uLongf size = ::compressBound(text.size());
  std::string bytes(size, '\0');
  ::compress2(reinterpret_cast<Bytef*>(bytes.data()), &size, reinterpret_cast<const Bytef*>(text.data()),
              text.size(), Z_BEST_COMPRESSION);
  bytes.resize(size);
  return bytes;
}

// Encodes as in RFC 4648, section 4.
std::string base64(const std::string& bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t bits = 0;
    for (size_t k = 0; k < 3; ++k)
      bits = bits << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (size_t k = 0; k < 4; ++k) text += i + k <= bytes.size() ? kDigits[bits >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

void replace(std::string& text, std::string_view old, const std::string& with) {
  size_t at = text.find(old);
  if (at != std::string::npos) text.replace(at, old.size(), with);
}

}  // namespace

Result<std::string> single_file(Api& api) {
  Answers answers(api);
  answers.ask({"recordings", {}});
  for (size_t i = 0; i < api.recordings(); ++i) {
    std::string recording = std::to_string(i);
    Json totals = answers.ask({"totals", {{"recording", recording}}});
    if (totals.contains("error")) return make_error(ErrorCode::kIo, "{}", totals["error"].get<std::string>());
    query_recording(answers, recording);
  }
  query_each_pair(answers, api.recordings());

  std::string policy = fmt::format(
      "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; img-src data:; base-uri 'none'; form-action 'none'",
      page_script_hash(), page_style_hash());
  std::string html(page_html());
  replace(html, R"(<script src="page.js" defer></script>)", "");
  replace(html, R"(<link rel="stylesheet" href="page.css" />)",
          fmt::format(R"(<meta http-equiv="Content-Security-Policy" content="{}" />)"
                      "\n    <style>{}</style>",
                      policy, page_style()));
  replace(html, "</body>",
          fmt::format("<script type=\"text/plain\" id=\"hardmeter-answers\">{}</script>\n"
                      "    <script>{}</script>\n  </body>",
                      base64(compressed(answers.text())), page_script()));
  return html;
}

}  // namespace hm::web
