// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/documentation/command_text.h"
#include "cli/ebs.h"
#include "event/event_template.h"

namespace hm::cli {
namespace {

// Escapes text for troff: man(7), groff_char(7).
std::string troff(std::string_view text) {
  std::string result;
  for (char each : text) {
    if (each == '\\') {
      result += "\\e";
    } else if (each == '-') {
      result += "\\-";
    } else if (each == '`') {
      result += "\\(ga";
    } else if (each == '\'') {
      result += "\\(aq";
    } else {
      result += each;
    }
  }
  if (result.starts_with('.')) result.insert(0, "\\&");
  return result;
}

std::string title(std::string_view name) {
  std::string upper;
  for (char each : name) upper += static_cast<char>(std::toupper(static_cast<unsigned char>(each)));
  return fmt::format(".TH {} 1 \"\" \"hardmeter " HM_VERSION "\" \"User Commands\"\n", troff(upper));
}

std::string option_line(const OptionText& option) {
  std::vector<std::string> names;
  names.reserve(option.names.size());
  for (const std::string& name : option.names) names.push_back("\\fB" + troff(name) + "\\fR");
  std::string line = fmt::format("{}", fmt::join(names, ", "));
  if (!option.argument.empty())
    line += fmt::format("{}\\fI{}\\fR", names.empty() ? "" : " ", troff(option.argument));
  return line;
}

std::string options_of(const CommandText& command) {
  std::string text, group;
  for (const OptionText& option : command.options) {
    std::string title = option.group == "Options" || option.group == "Positionals" ? "Options" : option.group;
    if (title != group) text += title == "Options" ? ".SH OPTIONS\n" : fmt::format(".SS {}\n", troff(title));
    group = title;
    text += fmt::format(".TP\n{}\n{}\n", option_line(option), troff(option.description));
    if (!option.words.empty()) text += troff(fmt::format("({})\n", fmt::join(option.words, ", ")));
    if (!option.usual.empty()) text += troff(fmt::format("(default: {})\n", option.usual));
  }
  return text;
}

std::string synopsis(const CommandText& command) {
  if (command.name == "hardmeter") return ".B hardmeter\n.I COMMAND\n[\\fIOPTIONS\\fR]\n";
  std::string text = fmt::format(".B hardmeter {}\n[\\fIOPTIONS\\fR]\n", command.name);
  if (command.runs_a_program) text += "[\\-\\-]\n.I PROGRAM\n[\\fIARGUMENTS\\fR...]\n";
  for (const OptionText& option : command.options) {
    if (option.names.empty()) text += fmt::format("[\\fI{}\\fR]\n", troff(option.argument));
  }
  return text;
}

constexpr std::string_view kExitStatus =
    ".SH EXIT STATUS\n0 for success, 1 for a failure, 2 for wrong usage. Commands that run a program return its exit status:\n128 + n if signal n ended it, 127 if it does not exist, 126 if it cannot be run.\n";

std::string commands_section(const std::vector<CommandText>& all) {
  std::string text = ".SH COMMANDS\n";
  for (const CommandText& each : all) {
    if (each.name != "hardmeter")
      text += fmt::format(".TP\n\\fBhardmeter\\-{}\\fR(1)\n{}\n", each.name, troff(each.summary));
  }
  return text;
}

std::string see_also(const CommandText& command, const std::vector<CommandText>& all) {
  std::vector<std::string> pages;
  if (command.name != "hardmeter") pages.emplace_back("\\fBhardmeter\\fR(1)");
  for (const CommandText& each : all) {
    bool is_neighbour =
        each.name == "record" || each.name == "report" || each.name == "explain" || each.name == "list";
    if (is_neighbour && each.name != command.name)
      pages.push_back(fmt::format("\\fBhardmeter\\-{}\\fR(1)", each.name));
  }
  pages.emplace_back("\\fBebs\\fR(1)");
  pages.emplace_back("\\fBhardmeterrc\\fR(5)");
  pages.emplace_back("\\fBperf\\fR(1)");
  return fmt::format(".SH SEE ALSO\n{}\n", fmt::join(pages, ",\n"));
}

}  // namespace

std::string man_page(const CommandText& command, const std::vector<CommandText>& all) {
  bool is_whole = command.name == "hardmeter";
  std::string name = is_whole ? "hardmeter" : "hardmeter-" + command.name;
  return title(name) + fmt::format(".SH NAME\n{} \\- {}\n", troff(name), troff(command.summary)) +
         ".SH SYNOPSIS\n" + synopsis(command) + (is_whole ? commands_section(all) : "") +
         options_of(command) + std::string(kExitStatus) + see_also(command, all);
}

std::string ebs_man_page() {
  std::string events;
  const event::EventTemplate* before = nullptr;
  for (const event::EventTemplate& event : event::all_events()) {
    if (before == nullptr || before->group != event.group)
      events += fmt::format(".SS {}\n", troff(event::group_title(event.group)));
    events += fmt::format(".TP\n.B {}\n{}\n", event.name, troff(event.description));
    before = &event;
  }
  return title("ebs") +
         ".SH NAME\nebs \\- sample one event of a program or process into a text dump\n"
         ".SH SYNOPSIS\n.nf\n" +
         troff(ebs_usage()) + ".fi\n.SH EVENT TYPES\n" + events + std::string(kExitStatus) +
         ".SH SEE ALSO\n\\fBhardmeter\\fR(1),\n\\fBhardmeter\\-export\\fR(1),\n\\fBhardmeterrc\\fR(5)\n";
}

}  // namespace hm::cli
