// SPDX-License-Identifier: MIT
// Completions: bash(1) "Programmable Completion", zshcompsys(1), fish's complete(1).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/documentation/command_text.h"
#include "event/event_template.h"

namespace hm::cli {
namespace {

std::string event_words() {
  std::string words;
  for (const event::EventTemplate& event : event::all_events())
    words += fmt::format("{}{}", words.empty() ? "" : " ", event.name);
  return words;
}

bool takes_events(const OptionText& option) {
  return option.names.size() > 1 && option.names[1] == "--event";
}
bool takes_files(const OptionText& option) {
  return option.argument == "FILE" || option.names == std::vector<std::string>{"-i", "--input"};
}

// Quotes text for '...' in all three shells.
std::string in_quotes(std::string_view text) {
  std::string result;
  for (char each : text) result += each == '\'' ? std::string("'\\''") : std::string(1, each);
  return result;
}

std::string bash_case(const CommandText& command) {
  std::vector<std::string> names;
  std::string values;
  for (const OptionText& option : command.options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
    if (option.names.empty() || option.argument.empty()) continue;
    std::string words = takes_events(option) ? "$events" : fmt::format("{}", fmt::join(option.words, " "));
    std::string pattern = fmt::format("{}", fmt::join(option.names, "|"));
    if (!words.empty())
      values += fmt::format("        {}) _hardmeter_words \"{}\"; return ;;\n", pattern, words);
    if (takes_files(option)) values += fmt::format("        {}) _hardmeter_files; return ;;\n", pattern);
  }
  return fmt::format(
      "    {})\n      runs={}\n      options=\"{}\"\n      case $before in\n{}      esac\n      ;;\n",
      command.name, command.runs_a_program ? 1 : 0, fmt::join(names, " "),
      values.empty() ? "        '') ;;\n" : values);
}

std::string zsh_option(const OptionText& option) {
  std::string names = option.names.size() > 1 ? fmt::format("'({})'{{{}}}", fmt::join(option.names, " "),
                                                            fmt::join(option.names, ","))
                                              : option.names.front();
  std::string description;
  for (char each : option.description)
    description +=
        each == '[' || each == ']' || each == ':' ? std::string("\\") + each : std::string(1, each);
  std::string action;
  if (!option.argument.empty()) {
    std::string words =
        takes_events(option) ? event_words() : fmt::format("{}", fmt::join(option.words, " "));
    action = fmt::format(":{}:{}", option.argument.substr(0, option.argument.find(':')),
                         !words.empty()        ? "(" + words + ")"
                         : takes_files(option) ? "_files"
                                               : " ");
  }
  return fmt::format("        {}'[{}]{}'", names, in_quotes(description), in_quotes(action));
}

}  // namespace

std::string bash_completion(const std::vector<CommandText>& all) {
  std::vector<std::string> commands;
  std::string cases;
  for (const CommandText& each : all) {
    if (each.name == "hardmeter") continue;
    commands.push_back(each.name);
    cases += bash_case(each);
  }
  return fmt::format(R"(# bash completion of hardmeter and ebs

_hardmeter_words() {{ COMPREPLY=($(compgen -W "$1" -- "${{COMP_WORDS[COMP_CWORD]}}")); }}
_hardmeter_files() {{ COMPREPLY=($(compgen -f -- "${{COMP_WORDS[COMP_CWORD]}}")); compopt -o filenames 2>/dev/null; }}
_hardmeter_programs() {{ COMPREPLY=($(compgen -c -- "${{COMP_WORDS[COMP_CWORD]}}")); }}

_hardmeter() {{
  local events="{0}"
  local before=${{COMP_WORDS[COMP_CWORD-1]}} current=${{COMP_WORDS[COMP_CWORD]}} options= runs=0
  if [ "$COMP_CWORD" -eq 1 ]; then _hardmeter_words "{1} --help --version"; return; fi
  case ${{COMP_WORDS[1]}} in
{2}  esac
  if [[ $current == -* ]]; then
    _hardmeter_words "$options"
  elif [ "$runs" = 1 ]; then
    _hardmeter_programs
  else
    _hardmeter_files
  fi
}}

_ebs() {{
  case ${{COMP_WORDS[COMP_CWORD-1]}} in
    -t) _hardmeter_words "{0}" ;;
    -o) _hardmeter_files ;;
    *) if [[ ${{COMP_WORDS[COMP_CWORD]}} == -* ]]; then _hardmeter_words "-u -k -o -i -c -t --pmu --help --version"; else _hardmeter_programs; fi ;;
  esac
}}

complete -F _hardmeter hardmeter
complete -F _ebs ebs
)",
                     event_words(), fmt::join(commands, " "), cases);
}

std::string zsh_completion(const std::vector<CommandText>& all) {
  std::string commands, cases;
  for (const CommandText& each : all) {
    if (each.name == "hardmeter") continue;
    commands += fmt::format("    '{}:{}'\n", each.name, in_quotes(each.summary));
    cases += fmt::format("    {})\n      _arguments -S \\\n", each.name);
    for (const OptionText& option : each.options) {
      if (!option.names.empty()) cases += zsh_option(option) + " \\\n";
    }
    cases += fmt::format("        '*:: :{}' ;;\n", each.runs_a_program ? "_normal" : "_files");
  }
  return fmt::format(R"(#compdef hardmeter ebs

_hardmeter_commands() {{
  local -a commands
  commands=(
{0}  )
  _describe command commands
}}

_hardmeter_ebs() {{
  _arguments -S '-u[user mode]' '-k[kernel mode]' '-o[where to]:FILE:_files' '-i[events per sample]:N: ' '-c[most samples]:N: ' \
    '-t[event]:TYPE:({1})' '--pmu=[who measures]:PMU:(auto linux soft)' '*:: :_normal'
}}

_hardmeter() {{
  if [[ $service == ebs ]]; then _hardmeter_ebs; return; fi
  if (( CURRENT == 2 )); then _hardmeter_commands; return; fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
{2}  esac
}}

_hardmeter "$@"
)",
                     commands, event_words(), cases);
}

std::string fish_completion(const std::vector<CommandText>& all) {
  std::string text =
      "# fish completion of hardmeter and ebs\ncomplete -c hardmeter -n __fish_use_subcommand -f\n";
  for (const CommandText& each : all) {
    if (each.name == "hardmeter") continue;
    text += fmt::format("complete -c hardmeter -n __fish_use_subcommand -a {} -d '{}'\n", each.name,
                        in_quotes(each.summary));
    for (const OptionText& option : each.options) {
      if (option.names.empty()) continue;
      std::string names;
      for (const std::string& name : option.names)
        names += name.starts_with("--") ? fmt::format(" -l {}", name.substr(2))
                                        : fmt::format(" -s {}", name.substr(1));
      std::string words =
          takes_events(option) ? event_words() : fmt::format("{}", fmt::join(option.words, " "));
      std::string argument = option.argument.empty() ? ""
                             : !words.empty()        ? fmt::format(" -xa '{}'", words)
                             : takes_files(option)   ? " -rF"
                                                     : " -x";
      text += fmt::format("complete -c hardmeter -n '__fish_seen_subcommand_from {}'{}{} -d '{}'\n",
                          each.name, names, argument, in_quotes(option.description));
    }
    if (each.runs_a_program)
      text += fmt::format(
          "complete -c hardmeter -n '__fish_seen_subcommand_from {}' -xa '(__fish_complete_subcommand "
          "--fcs-skip=2)'\n",
          each.name);
  }
  text += fmt::format(
      "complete -c ebs -s u -d 'user mode'\ncomplete -c ebs -s k -d 'kernel mode'\ncomplete -c ebs -s o -rF "
      "-d 'where to'\n"
      "complete -c ebs -s i -x -d 'events per sample'\ncomplete -c ebs -s c -x -d 'most samples'\n"
      "complete -c ebs -s t -xa '{}' -d 'event'\n"
      "complete -c ebs -xa '(__fish_complete_subcommand)'\n",
      event_words());
  return text;
}

}  // namespace hm::cli
