// SPDX-License-Identifier: MIT
#include "app/query/sample_export.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <span>
#include <string_view>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/recording_options.h"
#include "record/output.h"
#include "symbol/file_resolver.h"
#include "view/csv/samples_csv.h"
#include "view/exports/callgrind.h"
#include "view/exports/chrome.h"
#include "view/exports/export_selection.h"
#include "view/exports/firefox.h"
#include "view/exports/folded.h"
#include "view/exports/perfetto.h"
#include "view/exports/pieces.h"
#include "view/exports/pprof.h"
#include "view/exports/speedscope.h"

namespace hm::cli {
namespace {

struct ExportFlags {
  query::SampleExport query;
  std::string format;
  std::string output = "-";
  uint64_t max_samples = 0;  // 0: all
};

Result<int> write_dump(const ExportFlags& flags) {
  const profile::FilterOptions& filter = flags.query.filter;
  bool chooses_more =
      filter.comm || filter.pid || filter.tid || filter.cgroup || filter.dso || filter.function;
  if (chooses_more || !flags.query.reading.source_rules.empty() || flags.query.reading.raw_ip ||
      flags.query.reading.trust_files)
    return make_error(
        ErrorCode::kInvalidArgument,
        "a dump contains all samples of an event as recorded: with --format=ebs, only -e and -c select samples");
  const std::vector<std::string>& events = filter.events;
  if (events.size() > 1)
    return make_error(ErrorCode::kInvalidArgument, "a dump contains one event, and -e names {}",
                      events.size());
  query::DumpExport options;
  options.input = flags.query.input;
  options.dump.path = flags.output;
  if (!events.empty()) options.event = events.front();
  if (flags.max_samples != 0) options.dump.max_samples = flags.max_samples;
  Result<uint64_t> samples = query::export_dump(options);
  if (!samples) return samples.error();
  return 0;
}

Status write_csv(const exports::Selection& selection, const exports::Write& write) {
  exports::Pieces pieces(write);
  pieces << csv::samples_head();
  for (size_t sample : selection.samples) pieces << csv::sample_line(selection.profile, sample);
  return pieces.finish();
}

// An export format of samples.
struct SampleFormat {
  std::string_view name;
  Status (*write)(const exports::Selection& selection, const exports::Write& write);
  bool has_stacks = true;
  bool holds_one_event = false;
};

constexpr SampleFormat kSampleFormats[] = {
    {"csv", write_csv, false},
    {"folded", exports::write_folded, true, true},
    {"pprof", exports::write_pprof},
    {"speedscope", exports::write_speedscope},
    {"perfetto", exports::write_perfetto},
    {"chrome", exports::write_chrome},
    {"firefox", exports::write_firefox},
    {"callgrind", exports::write_callgrind},
};

Status write_to_file(const std::string& path, const SampleFormat& format,
                     const exports::Selection& selection) {
  Result<record::Output> output = record::Output::create(path);
  if (!output) return output.error();
  Status written = format.write(
      selection, [&](std::string_view text) { return output->write(std::as_bytes(std::span(text))); });
  if (written) written = output->close();
  if (!written) output->discard();
  return written;
}

Result<int> write_samples(const ExportFlags& flags, const SampleFormat& format) {
  const symbol::FileResolver resolver = query::resolver_for(flags.query.reading);
  query::SampleExport options = flags.query;
  options.chains = format.has_stacks;
  Result<query::ExportedSamples> exported = query::export_samples(options, resolver);
  if (!exported) return exported.error();
  exports::Selection selection{exported->profile, exported->samples, resolver};
  size_t most = flags.max_samples == 0 ? selection.samples.size() : flags.max_samples;
  selection.samples = selection.samples.first(std::min(selection.samples.size(), most));
  if (format.holds_one_event) {
    if (Status one = exports::check_one_event(selection); !one) return one.error();
  }
  Status written = flags.output == "-" ? format.write(selection, write_output)
                                       : write_to_file(flags.output, format, selection);
  if (!written) return written.error();
  return 0;
}

Result<int> write_export(const ExportFlags& flags) {
  const auto* format = std::ranges::find(kSampleFormats, flags.format, &SampleFormat::name);
  return format == std::end(kSampleFormats) ? write_dump(flags) : write_samples(flags, *format);
}

}  // namespace

Run add_export(CommandLine& line) {
  auto flags = std::make_shared<ExportFlags>();
  add_input_option(line, flags->query.input);
  line.add_option(
          "--format", flags->format,
          "csv: a line for each sample, with its code location and data access (address, object, field, data source, latency, class of the miss); ebs: a line of registers for each sample of one event, as the original hardmeter dumped them, which every command reads like a recording; folded: stacks of one event, for flamegraph.pl; pprof: for go tool pprof; speedscope: for speedscope.app; perfetto: for ui.perfetto.dev, with flame graphs; chrome: for chrome://tracing; firefox: for profiler.firefox.com; callgrind: for callgrind_annotate and KCachegrind")
      .one_of({"csv", "ebs", "folded", "pprof", "speedscope", "perfetto", "chrome", "firefox", "callgrind"})
      .required();
  line.add_option("-o,--output", flags->output,
                  "output file; an old file becomes FILE.old; - is standard output")
      .type("FILE")
      .show_default();
  line.add_option("-c,--count", flags->max_samples, "only the first COUNT samples (default: all)")
      .positive()
      .type("COUNT");
  add_reading_options(line, flags->query.reading);
  add_filter_options(line, flags->query.filter);
  line.add_option(
      "-S,--function", flags->query.filter.function,
      "only samples in this function, or in those with this part or pattern (parse_*) in their name");
  return [flags] { return write_export(*flags); };
}

}  // namespace hm::cli
