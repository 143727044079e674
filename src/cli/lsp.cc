// SPDX-License-Identifier: MIT
#include "lsp/server.h"

#include <memory>

#include "cli/commands.h"
#include "cli/interrupts.h"
#include "cli/recording_options.h"

namespace hm::cli {
namespace {

struct LspWords {
  std::string input;
  query::Reading reading;
};

Result<int> serve_editor(const LspWords& words) {
  count_interrupts();
  Result<int> status = lsp::serve(
      {.version = HM_VERSION, .recording = words.input, .reading = words.reading, .interrupted = [] {
         return interrupts() > 0;
       }});
  if (!status) return status;
  return status_after(interrupts() > 0, *status);
}

}  // namespace

Run add_lsp(CommandLine& line) {
  auto words = std::make_shared<LspWords>();
  line.add_option("-i,--input", words->input,
                  "the recording (default: hardmeter.data or perf.data in the editor's folder)")
      .type("FILE");
  add_reading_options(line, words->reading);
  line.set_footer("The editor starts this server itself: see docs/editors.md for its settings.");
  return [words] { return serve_editor(*words); };
}

}  // namespace hm::cli
