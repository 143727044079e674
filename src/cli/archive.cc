// SPDX-License-Identifier: MIT
#include "app/query/archive_writer.h"

#include <fmt/format.h>

#include <memory>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/recording_options.h"
#include "symbol/file_resolver.h"

namespace hm::cli {
namespace {

Result<int> write_archive(const query::ArchiveOptions& flags) {
  query::ArchiveOptions options = flags;
  if (options.output.empty()) options.output = options.input + ".archive";
  if (options.input == "-" || options.output == options.input) {
    return make_error(ErrorCode::kInvalidArgument,
                      "archive reads a recording from one file (-i) and writes another one (-o)");
  }
  symbol::FileResolver resolver(options.reading.files);  // without rules: sources keep their recorded paths
  Result<query::Archived> archived = query::make_archive(options, resolver);
  if (!archived) return archived.error();
  std::string text = fmt::format(
      "{}: the recording with {} programs, libraries and symbol maps, {} debug files and {} source files, {:.1f} MiB of them; every command reads it with -i\n",
      options.output, archived->objects, archived->debug_files, archived->sources,
      static_cast<double>(archived->bytes) / (1 << 20));
  for (const std::string& problem : archived->problems) text += "# " + problem + "\n";
  return print(text);
}

}  // namespace

Run add_archive(CommandLine& line) {
  auto flags = std::make_shared<query::ArchiveOptions>();
  add_input_option(line, flags->input);
  line.add_option("-o,--output", flags->output, "the archive; default: the recording's name and .archive")
      .type("FILE");
  line.add_flag("--no-sources", flags->no_sources, "leave out source files");
  add_reading_options(line, flags->reading);
  return [flags] { return write_archive(*flags); };
}

}  // namespace hm::cli
