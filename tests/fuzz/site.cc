// SPDX-License-Identifier: MIT
// The input is a request of an authorised caller: "METHOD PATH?QUERY", and its body behind a line feed. The
// result is a valid response. Responses of the API are JSON, and describe errors in a sentence.
#include "web/site.h"

#include "base/json.h"
#include "input.h"
#include "record/example_recording.h"
#include "record/occupancy_record.h"
#include "record/writer.h"

namespace {

using namespace hm;

constexpr uint64_t kOccupancyId = 103;

void append_readings(const record::EventDescription& event, std::vector<std::byte>& records) {
  ByteWriter out;
  for (uint64_t i = 0; i < 20; ++i) {
    record::OccupancyReading reading{i % 2 == 0 ? "example [4242]" : "other", false, 1 << 20, 4096 * i, 100};
    std::vector<std::byte> payload;
    record::Sample sample = record::occupancy_sample(reading, payload);
    sample.id = kOccupancyId;
    sample.pid = sample.tid = record::example::kPid;
    sample.time_ns = 1'000'000 + 5000 * i;
    ByteWriter encoded;
    record::encode_sample(event.attr, sample, encoded);
    (void)record::append_record(out, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, encoded.bytes());
  }
  records.insert(records.end(), out.bytes().begin(), out.bytes().end());
}

// The recording has data for all requests.
std::string make_recording(const std::string& path) {
  std::vector<record::EventDescription> events = record::example::events();
  std::vector<std::byte> records = record::example::records(events, 50);
  events.push_back(record::occupancy_event(kOccupancyId));
  append_readings(events.back(), records);
  record::Features features;
  features.caches = {{1, 64, 64, 8, "Data", "32K", "0"}, {2, 64, 1024, 4, "Unified", "256K", "0"}};
  features.hardmeter = R"({"pmu":"software","sizes":{"least_sets":64,"set_counts":2,"ways":4,"line_bytes":64,
      "accesses":1000,"misses":[[900,800,700,600],[850,500,100,80]]}})";
  Result<record::Writer> writer = record::Writer::create(path, events);
  fuzz::require(writer.ok() && writer->append(records).ok() && writer->finish(features).ok());
  return path;
}

struct Served {
  Served() { access.set_port(80); }

  TemporaryFolder folder;
  std::string recording = make_recording(folder.file("perf.data"));
  web::Api api{{recording, recording}, {}, "1.2.3"};
  web::Access access{"5ec2e7", "127.0.0.1"};
  web::Site site{api, access};
};

http::Request read_request(std::string_view text) {
  http::Request request;
  std::string_view line = fuzz::take_line(text);
  size_t blank = std::min(line.find(' '), line.size());
  request.method = line.substr(0, blank);
  line.remove_prefix(std::min(blank + 1, line.size()));
  size_t mark = std::min(line.find('?'), line.size());
  request.path = line.substr(0, mark);
  request.query = line.substr(std::min(mark + 1, line.size()));
  request.headers = {{"Host", "127.0.0.1"},
                     {"Origin", "http://127.0.0.1"},
                     {"Content-Type", "application/json"},
                     {"Cookie", "hardmeter_80=5ec2e7"}};
  request.body = text;
  return request;
}

// Checks only the beginning of large responses, to save time.
void check_json(const http::Response& response) {
  constexpr size_t kLarge = size_t{1} << 18;
  if (response.body->size() > kLarge) return fuzz::require(response.body->front() == '{');
  if (response.status == 200) return fuzz::require(nlohmann::json::accept(*response.body));
  nlohmann::json refusal = parse_json(*response.body);
  fuzz::require(refusal.is_object() && refusal.contains("schema") && refusal.contains("error"));
  fuzz::require(refusal["error"].is_string() && refusal["error"] != "");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static Served served;
  http::Response response = served.site.respond(read_request(fuzz::text(data, size)));
  fuzz::require(response.body != nullptr);
  bool is_refusal = response.status == 400 || response.status == 403 || response.status == 404 ||
                    response.status == 405 || response.status == 500;
  fuzz::require(is_refusal || response.status == 200 || response.status == 302);
  for (const auto& [name, value] : response.headers)
    fuzz::require(value.find_first_of("\r\n") == std::string::npos);
  if (response.type == "application/json") check_json(response);
  return 0;
}
