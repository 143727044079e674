// SPDX-License-Identifier: MIT
#include "view/exports/callgrind.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "view/exports/call_costs.h"
#include "view/exports/text.h"

namespace hm::exports {
namespace {

// Names of one kind. Each name is spelled out at its first use, "(3) name", and then abbreviated, "(3)". The
// number in front makes names that look like a number unambiguous.
class CompressedNames {
 public:
  std::string of(std::string_view name) {
    auto [found, is_new] = numbers_.try_emplace(std::string(name), numbers_.size() + 1);
    if (!is_new) return fmt::format("({})", found->second);
    return fmt::format("({}) {}", found->second, name.empty() ? "???" : one_line(name));
  }

 private:
  std::map<std::string, size_t> numbers_;
};

// Converts an event name to a word of letters, digits and underscores. The recorded name is in the line that
// describes the event.
std::string event_word(std::string_view name, const std::vector<std::string>& taken) {
  std::string word(name);
  std::ranges::replace_if(
      word, [](unsigned char each) { return std::isalnum(each) == 0; }, '_');
  if (word.empty() || std::isdigit(static_cast<unsigned char>(word.front())) != 0) word.insert(0, "_");
  while (std::ranges::find(taken, word) != taken.end()) word += '_';
  return word;
}

// Returns the files of functions that are called from another file.
std::set<std::string> called_files(const std::vector<CostFunction>& functions) {
  std::set<std::string> files;
  for (const CostFunction& caller : functions) {
    for (const auto& [position, cost] : caller.positions) {
      for (const auto& [callee, call] : cost.calls) {
        if (functions[callee].file != caller.file) files.insert(functions[callee].file);
      }
    }
  }
  return files;
}

class CallgrindFile {
 public:
  CallgrindFile(const Selection& selection, const Write& write)
      : profile_(selection.profile),
        costs_(selection),
        called_files_(called_files(costs_.functions())),
        pieces_(write) {}

  Status write_all() {
    add_head();
    for (const CostFunction& function : costs_.functions()) {
      if (!function.positions.empty()) add_function(function);
    }
    return pieces_.finish();
  }

 private:
  void add_head() {
    pieces_ << "# callgrind format\nversion: 1\ncreator: hardmeter\n";
    std::string command = fmt::format("{}", fmt::join(profile_.origin().command, " "));
    if (!command.empty()) pieces_ << fmt::format("cmd: {}\n", one_line(command));
    pieces_ << "positions: instr line\n";
    std::vector<std::string> words;
    for (uint32_t event : costs_.events()) {
      const std::string& name = profile_.events[event].name;
      words.push_back(event_word(name, words));
      pieces_ << fmt::format("event: {} : {}\n", words.back(), one_line(name));
    }
    pieces_ << fmt::format("events: {}\nsummary: {}\n", fmt::join(words, " "),
                           fmt::join(costs_.total(), " "));
  }

  // callgrind_annotate takes the current folder's name off "fl=", but not off "cfi=", so that a function that
  // is called from another file would be listed twice. A second slash prevents this.
  std::string file_text(const std::string& file) {
    bool prefixed = file.starts_with('/') && called_files_.contains(file);
    return files_.of(prefixed ? "/" + file : file);
  }

  void add_function(const CostFunction& function) {
    pieces_ << fmt::format("\nob={}\n", objects_.of(function.object))
            << fmt::format("fl={}\n", file_text(function.file))
            << fmt::format("fn={}\n", functions_.of(function.name));
    for (const auto& [position, cost] : function.positions) {
      std::string place = fmt::format("{:#x} {}", position.address, position.line);
      if (!cost.self.empty()) pieces_ << fmt::format("{} {}\n", place, fmt::join(cost.self, " "));
      for (const auto& [callee, call] : cost.calls)
        add_call(function, place, costs_.functions()[callee], call);
    }
  }

  // A function of the caller's file has no "cfi=", as in Callgrind's own files.
  void add_call(const CostFunction& caller, const std::string& place, const CostFunction& callee,
                const CallCost& call) {
    pieces_ << fmt::format("cob={}\n", objects_.of(callee.object));
    if (callee.file != caller.file) pieces_ << fmt::format("cfi={}\n", file_text(callee.file));
    pieces_ << fmt::format("cfn={}\n", functions_.of(callee.name))
            << fmt::format("calls={} {:#x} 0\n{} {}\n", call.samples, callee.address, place,
                           fmt::join(call.costs, " "));
  }

  const profile::Profile& profile_;
  CallCosts costs_;
  std::set<std::string> called_files_;
  Pieces pieces_;
  CompressedNames objects_, files_, functions_;
};

}  // namespace

Status write_callgrind(const Selection& selection, const Write& write) {
  return CallgrindFile(selection, write).write_all();
}

}  // namespace hm::exports
