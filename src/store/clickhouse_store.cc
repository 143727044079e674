// SPDX-License-Identifier: MIT
#include "store/clickhouse_store.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "http/client.h"
#include "store/clickhouse_columns.h"
#include "store/clickhouse_schema.h"

namespace hm::store {
namespace {

// Returns true for ClickHouse's error codes for missing tables: UNKNOWN_TABLE, UNKNOWN_DATABASE.
bool lacks_tables(std::string_view body) {
  return body.starts_with("Code: 60,") || body.starts_with("Code: 81,") || body.starts_with("Code: 60.") ||
         body.starts_with("Code: 81.");
}

// Returns the first line without the stack trace, which only helps ClickHouse's developers.
std::string reason_of(std::string_view body) {
  std::string_view line = body.substr(0, body.find('\n'));
  return std::string(line.substr(0, std::min<size_t>(line.find(", Stack trace"), 400)));
}

class ClickhouseStore final : public Store {
 public:
  ClickhouseStore(const Address& address, http::Client client, size_t shard)
      : address_(address), client_(std::move(client)), shard_(shard % address.servers.size()) {}

  Status init() override {
    for (size_t i = 0; i < address_.servers.size(); ++i) {
      if (Status made = make_schema(i); !made) return made;
    }
    return {};
  }

  // The server checks itself whether it has the batch, because an earlier request may arrive late or its
  // reply may be lost. Concurrent inserts of one batch have the same query_id, which the server rejects. The
  // rows are one block in one partition and become one part, so the insert is atomic.
  Status insert(const Batch& batch) override {
    if (batch.rows.empty()) return {};
    if (Status known = check_schema(shard_); !known) return known;
    const Row& total = *std::max_element(batch.rows.begin(), batch.rows.end(),
                                         [](const Row& a, const Row& b) { return a.is_total < b.is_total; });
    std::string sql = fmt::format(
        "INSERT INTO samples ({0}) SELECT {0} FROM incoming WHERE (SELECT count() FROM samples WHERE "
        "is_total = {1} "
        "AND service = {2} AND event = {3} AND time = {4} AND batch = {5}) = 0",
        column_names(), total.is_total ? 1 : 0, quoted(total.series.service), quoted(total.series.event),
        time_literal(batch.time_s), quoted(batch.id));
    std::string boundary = "rows-of-" + http::percent_encoded(batch.id);
    std::string body = fmt::format(
        "--{0}\r\nContent-Disposition: form-data; name=\"incoming\"; filename=\"incoming\"\r\n"
        "Content-Type: text/tab-separated-values\r\n\r\n{1}\r\n--{0}--\r\n",
        boundary, tab_separated(batch));
    std::string url = fmt::format(
        "{}&query={}&query_id={}&max_threads=1&incoming_format=TabSeparated&incoming_structure={}",
        url_of(shard_), http::percent_encoded(sql), http::percent_encoded(batch.id),
        http::percent_encoded(column_types()));
    Result<std::string> answer = answer_of(url, "multipart/form-data; boundary=" + boundary, body);
    return answer ? Status() : Status(answer.error());
  }

  Status prune(uint64_t before_s, uint64_t hours_before_s) override {
    const std::pair<std::string_view, std::string> olds[] = {
        {"samples", fmt::format("toUInt32OrZero(partition) < toYYYYMMDD({})", time_literal(before_s))},
        {"hours", fmt::format("toUInt32OrZero(partition) < {}", hours_before_s / 86400)}};
    for (size_t i = 0; i < address_.servers.size(); ++i) {
      for (const auto& [table, is_old] : olds) {
        if (Status dropped = drop_partitions(i, table, is_old); !dropped) return dropped;
      }
    }
    return {};
  }

  // TTL needs version 19.6.
  Status keep_for(uint64_t days) override {
    for (size_t i = 0; i < address_.servers.size(); ++i) {
      Status set = run(i, fmt::format("ALTER TABLE samples MODIFY TTL time + INTERVAL {} DAY", days));
      if (!set && set.error().message.find("Code: 62") != std::string::npos)
        return make_error(
            ErrorCode::kUnsupported,
            "{} is too old to delete measurements automatically: run hardmeter store prune --keep-days {} each day",
            server_of(i), days);
      if (!set) return set;
    }
    return {};
  }

  Result<uint64_t> stale_days() override {
    uint64_t days = 0;
    for (size_t i = 0; i < address_.servers.size(); ++i) {
      Result<std::vector<Day>> all = days_of(i);
      if (!all) return all.error();
      days += static_cast<uint64_t>(std::ranges::count_if(*all, &Day::is_stale));
    }
    return days;
  }

  Result<uint64_t> time_s() override {
    Result<Answer> now = ask(shard_, "SELECT toUInt32(now())");
    if (!now) return now.error();
    return static_cast<uint64_t>(number_of(only_cell(*now)));
  }

  Result<Answer> ask(const std::string& sql) override {
    if (Status known = check_schema(shard_); !known) return known.error();
    return ask(shard_, sql);
  }
  [[nodiscard]] std::string table() const override {
    return address_.cluster.empty() ? "samples" : "samples_all";
  }
  [[nodiscard]] std::string hours_table() const override {
    return address_.cluster.empty() ? "hours" : "hours_all";
  }
  [[nodiscard]] std::string quoted(std::string_view text) const override {
    std::string literal = "'";
    for (char c : text) {
      if (c == '\0') continue;
      if (c == '\'' || c == '\\') literal += '\\';
      literal += c;
    }
    return literal + '\'';
  }
  [[nodiscard]] std::string seconds_of(std::string_view column) const override {
    return fmt::format("toUInt32({})", column);
  }
  // Earlier versions require a strictness for joins with several matches (18.16: else error 417).
  [[nodiscard]] std::string_view inner_join() const override { return "ALL INNER JOIN"; }
  [[nodiscard]] std::string by_place(const std::vector<PlaceValue>& values,
                                     const std::string& otherwise) const override {
    std::string places, found;
    for (const PlaceValue& each : values) {
      places += fmt::format("{}{}", places.empty() ? "" : ",",
                            quoted(fmt::format("{} {}", each.build_id, each.offset)));
      found += fmt::format("{}{}", found.empty() ? "" : ",",
                           each.value.is_string() ? quoted(text_of(each.value)) : each.value.dump());
    }
    return fmt::format("transform(concat(build_id, ' ', toString(offset)), [{}], [{}], {})", places, found,
                       otherwise);
  }
  [[nodiscard]] std::string time_literal(uint64_t seconds) const override {
    return fmt::format("toDateTime({})", seconds);
  }

  Result<std::optional<uint64_t>> bytes() override {
    uint64_t bytes = 0;
    for (size_t i = 0; i < address_.servers.size(); ++i) {
      Result<Answer> sum = ask(
          i, fmt::format("SELECT sum(bytes_on_disk) * 1.0 FROM system.parts WHERE database = {} AND active",
                         quoted(address_.database)));
      if (!sum) return sum.error();
      bytes += static_cast<uint64_t>(number_of(only_cell(*sum)));
    }
    return std::optional(bytes);
  }

  Result<std::string> description() override {
    Result<Answer> version = ask(shard_, "SELECT version()");
    if (!version) return version.error();
    std::string servers;
    for (const std::string& each : address_.servers) servers += (servers.empty() ? "" : ", ") + each;
    return fmt::format("ClickHouse {}, {}", text_of(only_cell(*version)), servers);
  }

 private:
  [[nodiscard]] std::string server_of(size_t shard) const {
    return fmt::format("{}://{}", address_.encrypted ? "https" : "http", address_.servers[shard]);
  }
  [[nodiscard]] std::string url_of(size_t shard) const {
    return fmt::format("{}/?database={}", server_of(shard), address_.database);
  }

  Result<std::string> answer_of(const std::string& url, const std::string& type, const std::string& body) {
    Result<http::Reply> reply = client_.post(url, type, body);
    if (!reply) return reply.error();
    if (reply->status == 200) return std::move(reply->body);
    std::string server = url.substr(0, url.find("/?"));
    if (lacks_tables(reply->body))
      return make_error(ErrorCode::kUnsupported, "{} has no tables {} yet: run hardmeter store init", server,
                        address_.database);
    return make_error(ErrorCode::kIo, "{} answers {}: {}", server, reply->status, reason_of(reply->body));
  }

  Status drop_partitions(size_t shard, std::string_view table, std::string_view condition) {
    Result<Answer> olds =
        ask(shard, fmt::format("SELECT DISTINCT partition FROM system.parts WHERE database = {} "
                               "AND table = {} AND active AND {}",
                               quoted(address_.database), quoted(table), condition));
    if (!olds) return olds.error();
    for (const std::vector<nlohmann::json>& old : *olds) {
      std::string partition = old.empty() ? "" : text_of(old[0]);
      if (partition.empty() || partition.find_first_not_of("0123456789") != std::string::npos) continue;
      Status dropped = run(shard, fmt::format("ALTER TABLE {} DROP PARTITION {}", table, partition));
      if (!dropped) return dropped;
    }
    return {};
  }

  Status run(size_t shard, const std::string& sql) {
    Result<std::string> answer = answer_of(url_of(shard), "text/plain", sql);
    return answer ? Status() : Status(answer.error());
  }

  Result<Answer> ask(size_t shard, const std::string& sql) {
    std::string url = url_of(shard) + "&default_format=JSONCompact&output_format_json_quote_64bit_integers=0";
    // max_query_size has a default that not every user may raise, so it is only set for long queries. The
    // server sends the query to other shards with more blanks and brackets.
    constexpr size_t kUsualBytes = 262144, kLonger = 4;
    if (kLonger * sql.size() >= kUsualBytes) url += fmt::format("&max_query_size={}", kLonger * sql.size());
    Result<std::string> text = answer_of(url, "text/plain", sql);
    if (!text) return text.error();
    nlohmann::json reply = parse_json(*text);
    if (!reply.is_object() || !reply.contains("data") || !reply["data"].is_array())
      return make_error(ErrorCode::kIo, "{} does not answer as ClickHouse does", server_of(shard));
    Answer answer;
    for (nlohmann::json& row : reply["data"]) {
      if (row.is_array()) answer.push_back(row.get<std::vector<nlohmann::json>>());
    }
    return answer;
  }

  Status check_schema(size_t shard) {
    if (schema_is_known_) return {};
    Result<Answer> version = ask(shard, "SELECT max(version) FROM schema_versions");
    if (!version) return version.error();
    if (only_cell(*version) != kSchemaVersion)
      return make_error(
          ErrorCode::kUnsupported,
          "the tables of {} do not have version {}, which this version of hardmeter uses: run hardmeter store init, or use a later version",
          server_of(shard), kSchemaVersion);
    schema_is_known_ = true;
    return {};
  }

  Status make_schema(size_t shard) {
    Result<std::string> made =
        answer_of(server_of(shard) + "/", "text/plain", "CREATE DATABASE IF NOT EXISTS " + address_.database);
    if (!made) return made.error();
    for (const std::string& statement : schema_statements(address_)) {
      if (Status done = run(shard, statement); !done) return done;
    }
    if (Status rebuilt = rebuild_hours(shard); !rebuilt) return rebuilt;
    return run(shard, version_statement());
  }

  struct Day {
    uint64_t number, rows, sums_of_services, sums_of_all;
    [[nodiscard]] bool is_stale() const { return rows > sums_of_services || rows > sums_of_all; }
    [[nodiscard]] bool agrees() const { return rows == sums_of_services && rows == sums_of_all; }
  };
  Result<std::vector<Day>> days_of(size_t shard) {
    Result<Answer> answer = ask(shard, days_question());
    if (!answer) return answer.error();
    std::vector<Day> days;
    for (const std::vector<nlohmann::json>& row : *answer) {
      const auto number = [&](size_t i) { return static_cast<uint64_t>(number_of(row[i])); };
      if (row.size() == 4) days.push_back({number(0), number(1), number(2), number(3)});
    }
    return days;
  }

  // Rebuilds the stale days, which are all days if an earlier version had no sums.
  Status rebuild_hours(size_t shard) {
    Result<std::vector<Day>> days = days_of(shard);
    if (!days) return days.error();
    std::erase_if(*days, [](const Day& day) { return !day.is_stale(); });
    constexpr int kTries = 5;  // agents may send batches of that day meanwhile
    for (int i = 0; i < kTries && !days->empty(); ++i) {
      for (const Day& day : *days) {
        for (const std::string& statement : rebuild_statements(day.number)) {
          if (Status done = run(shard, statement); !done) return done;
        }
      }
      Result<std::vector<Day>> now = days_of(shard);
      if (!now) return now.error();
      std::erase_if(*days, [&](const Day& day) {
        auto found = std::ranges::find(*now, day.number, &Day::number);
        return found == now->end() || found->agrees();
      });
    }
    return {};
  }

  Address address_;
  http::Client client_;
  size_t shard_;
  bool schema_is_known_ = false;
};

}  // namespace

Result<std::unique_ptr<Store>> open_clickhouse(const Address& address, const Credentials& credentials,
                                               size_t shard) {
  if (address.servers.size() > 1 && address.cluster.empty())
    return make_error(
        ErrorCode::kInvalidArgument,
        "a store of {} servers needs ?cluster=NAME, as their configuration (remote_servers) calls them",
        address.servers.size());
  http::ClientOptions options;
  options.authority = credentials.authority;
  if (!credentials.user.empty())
    options.headers = {{"X-ClickHouse-User", credentials.user}, {"X-ClickHouse-Key", credentials.password}};
  Result<http::Client> client = http::Client::make(std::move(options));
  if (!client) return client.error();
  return std::unique_ptr<Store>(std::make_unique<ClickhouseStore>(address, *std::move(client), shard));
}

}  // namespace hm::store
