// SPDX-License-Identifier: MIT
#include "app/query/export.h"

#include <algorithm>
#include <memory>
#include <span>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/recording_options.h"
#include "record/output.h"
#include "symbol/file_resolver.h"
#include "view/csv/samples.h"

namespace hm::cli {
namespace {

struct ExportWords {
  query::SampleExport query;
  std::string format;
  std::string output = "-";
  uint64_t most_samples = 0;  // 0: all
};

Result<int> write_dump(const ExportWords& words) {
  const profile::FilterOptions& filter = words.query.filter;
  bool chooses_more = filter.comm || filter.pid || filter.tid || filter.dso;
  if (chooses_more || words.query.reading.raw_ip || words.query.reading.trust_files)
    return make_error(
        ErrorCode::kInvalidArgument,
        "a dump is of all samples of an event, as they were recorded: of --format=ebs only -e and -c choose");
  const std::vector<std::string>& events = filter.events;
  if (events.size() > 1)
    return make_error(ErrorCode::kInvalidArgument, "a dump holds one event, and -e names {}", events.size());
  query::DumpExport options;
  options.input = words.query.input;
  options.dump.path = words.output;
  if (!events.empty()) options.event = events.front();
  if (words.most_samples != 0) options.dump.most_samples = words.most_samples;
  Result<uint64_t> samples = query::export_dump(options);
  if (!samples) return samples.error();
  return 0;
}

// The lines, in pieces.
template <typename Write>
Status write_lines(const profile::Profile& profile, std::span<const size_t> samples, Write write) {
  constexpr size_t kManyBytes = size_t{1} << 20;
  std::string text = csv::samples_head();
  for (size_t sample : samples) {
    text += csv::sample_line(profile, sample);
    if (text.size() < kManyBytes) continue;
    if (Status written = write(text); !written) return written;
    text.clear();
  }
  return write(text);
}

Status write_file_of_lines(const std::string& path, const profile::Profile& profile,
                           std::span<const size_t> samples) {
  Result<record::Output> output = record::Output::create(path);
  if (!output) return output.error();
  Status written = write_lines(profile, samples, [&](const std::string& text) {
    return output->write(std::as_bytes(std::span(text)));
  });
  return written ? output->close() : written;
}

Result<int> write_samples(const ExportWords& words) {
  Result<query::ExportedSamples> exported = query::export_samples(words.query, symbol::FileResolver());
  if (!exported) return exported.error();
  std::span<const size_t> samples = exported->samples;
  if (words.most_samples != 0) samples = samples.first(std::min<size_t>(samples.size(), words.most_samples));
  Status written = words.output == "-" ? write_lines(exported->profile, samples, write_output)
                                       : write_file_of_lines(words.output, exported->profile, samples);
  if (!written) return written.error();
  return 0;
}

}  // namespace

Run add_export(CommandLine& line) {
  auto words = std::make_shared<ExportWords>();
  add_input_option(line, words->query.input);
  line.add_option("--format", words->format,
                  "csv: a line for each sample, with its place and what is known of its data access: "
                  "address, object, field, who answered, latency, class of the miss; ebs: a line of "
                  "registers for each sample of one "
                  "event, as the original hardmeter dumped them, which can be read wherever a recording can")
      .one_of({"csv", "ebs"})
      .required();
  line.add_option("-o,--output", words->output,
                  "where to; an old file becomes FILE.old; - is standard output")
      .type("FILE")
      .show_default();
  line.add_option("-c,--count", words->most_samples, "the first so many samples (default: all)")
      .positive()
      .type("COUNT");
  add_reading_options(line, words->query.reading);
  add_filter_options(line, words->query.filter);
  return [words] { return words->format == "csv" ? write_samples(*words) : write_dump(*words); };
}

}  // namespace hm::cli
