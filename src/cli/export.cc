// SPDX-License-Identifier: MIT
#include "app/query/export.h"

#include <memory>

#include "cli/commands.h"
#include "cli/recording_options.h"

namespace hm::cli {
namespace {

struct ExportWords {
  query::ExportOptions query;
  std::string format;
  uint64_t most_samples = 0;
};

Result<int> write_dump(const ExportWords& words) {
  query::ExportOptions options = words.query;
  if (words.most_samples != 0) options.dump.most_samples = words.most_samples;
  Result<uint64_t> samples = query::export_dump(options);
  if (!samples) return samples.error();
  return 0;
}

}  // namespace

Run add_export(CommandLine& line) {
  auto words = std::make_shared<ExportWords>();
  words->query.dump.path = "-";
  add_input_option(line, words->query.input);
  line.add_option(
          "--format", words->format,
          "ebs: a line of registers for each sample, as the original hardmeter dumped them; it can be read "
          "wherever a recording can")
      .one_of({"ebs"})
      .required();
  line.add_option("-o,--output", words->query.dump.path,
                  "where to; an old file becomes FILE.old; - is standard output")
      .type("FILE")
      .show_default();
  line.add_option("-e,--event", words->query.event, "which of the recording's events").type("EVENT");
  line.add_option("-c,--count", words->most_samples, "the first so many samples (default: all)")
      .positive()
      .type("COUNT");
  return [words] { return write_dump(*words); };
}

}  // namespace hm::cli
