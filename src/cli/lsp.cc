// SPDX-License-Identifier: MIT
#include "lsp/lsp_server.h"

#include <memory>

#include "cli/commands.h"
#include "cli/interrupts.h"
#include "cli/recording_options.h"

namespace hm::cli {
namespace {

struct LspFlags {
  std::string input;
  query::Reading reading;
};

Result<int> serve_editor(const LspFlags& flags) {
  count_interrupts();
  Result<int> status = lsp::serve(
      {.version = HM_VERSION, .recording = flags.input, .reading = flags.reading, .interrupted = [] {
         return interrupts() > 0;
       }});
  if (!status) return status;
  return status_after(interrupts() > 0, *status);
}

}  // namespace

Run add_lsp(CommandLine& line) {
  auto flags = std::make_shared<LspFlags>();
  line.add_option("-i,--input", flags->input,
                  "the recording (default: hardmeter.data or perf.data in the editor's folder)")
      .type("FILE");
  add_reading_options(line, flags->reading);
  line.set_footer("The editor starts this server itself: see docs/editors.md for its settings.");
  return [flags] { return serve_editor(*flags); };
}

}  // namespace hm::cli
