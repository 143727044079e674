// SPDX-License-Identifier: MIT
// Commands and their options, as a person writes them. CLI11 does the work, behind this header: its own takes
// ten seconds and more to compile.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/settings_file.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace hm::cli {

// Of a command; valid as long as that. Each setter returns the option itself.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option type(const std::string& name);   // what --help calls its value
  Option group(const std::string& name);  // the heading above it in --help; empty: not shown there
  Option show_default();                  // the value that the variable has now
  Option show_default(const std::string& text);
  Option separated_by(char delimiter);  // several values in one word
  Option one_at_a_time();               // each value behind the option's name
  Option value_may_be_left_out();       // then it is the default's text
  Option required();
  Option needs(const Option& other);

  // Which values are accepted.
  Option one_of(const std::vector<std::string>& words);
  Option between(int least, int most);
  Option between(uint64_t least, uint64_t most);
  Option between(double least, double most);
  Option positive();
  // `check` returns a sentence, or nothing where the word is right; `words` is what --help says of it.
  Option check(const std::function<std::string(std::string&)>& check, const std::string& words);

  // What --help knows.
  [[nodiscard]] std::vector<std::string> names() const;  // "-e", "--event"; empty for a positional one
  [[nodiscard]] std::string positional_name() const;
  [[nodiscard]] std::string type_text() const;  // with what the checks say: "TEXT:{auto,linux,soft}"
  [[nodiscard]] std::string description() const;
  [[nodiscard]] std::string default_text() const;
  [[nodiscard]] std::string group_name() const;

  [[nodiscard]] bool takes_value() const;
  [[nodiscard]] bool may_lack_value() const;
  // By its first check.
  [[nodiscard]] bool accepts(std::string word) const;

 private:
  CLI::Option* option_;
};

// The program itself, or one of its commands. The variables of options outlive it.
class CommandLine {
 public:
  CommandLine(const std::string& name, const std::string& description);  // of the program
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;
  ~CommandLine();

  CommandLine& add_command(const std::string& name, const std::string& summary);
  void answer_version(const std::string& text);
  void require_command();
  // The first word that is no option begins another program's words: rest().
  void take_program();
  void set_footer(const std::string& text);

  // `names`: "-q,--quiet"; without dashes, of a positional one.
  Option add_flag(const std::string& names, const std::string& description);  // changes nothing
  Option add_flag(const std::string& names, bool& value, const std::string& description);
  // Without a value it is "true"; one comes behind "=".
  Option add_flag(const std::string& names, std::string& value, const std::string& description);
  Option add_option(const std::string& names, std::string& value, const std::string& description);
  Option add_option(const std::string& names, std::optional<std::string>& value,
                    const std::string& description);
  Option add_option(const std::string& names, std::vector<std::string>& values,
                    const std::string& description);
  Option add_option(const std::string& names, std::vector<int>& values, const std::string& description);
  Option add_option(const std::string& names, std::optional<int>& value, const std::string& description);
  Option add_option(const std::string& names, unsigned& value, const std::string& description);
  Option add_option(const std::string& names, std::optional<uint32_t>& value, const std::string& description);
  Option add_option(const std::string& names, uint64_t& value, const std::string& description);
  Option add_option(const std::string& names, std::optional<uint64_t>& value, const std::string& description);
  Option add_option(const std::string& names, double& value, const std::string& description);

  // Sets the variables. `words`: those behind the program's name. What --help or --version answers, or
  // nothing where a command was chosen; kInvalidArgument with what is wrong.
  [[nodiscard]] Result<std::string> parse(std::vector<std::string> words);

  // Options from a file in TOML, by their long names: budget = "0.5%". What the command line says goes before
  // it. After parse(). kNotFound; kInvalidArgument with the file and what is wrong, also if one of the
  // `unexpected` options is in it.
  [[nodiscard]] Status read_settings(const std::string& path, const std::vector<std::string>& unexpected);

  // After parse().
  [[nodiscard]] bool chosen() const;
  [[nodiscard]] std::vector<std::string> rest() const;

  [[nodiscard]] std::string name() const;
  [[nodiscard]] std::string summary() const;
  [[nodiscard]] std::string footer() const;
  [[nodiscard]] std::string help() const;
  [[nodiscard]] bool takes_program() const;
  [[nodiscard]] std::vector<Option> options() const;
  // "-e" or "--event"; kInvalidArgument where there is none, with the nearest.
  [[nodiscard]] Result<Option> find_option(const std::string& name) const;

 private:
  explicit CommandLine(CLI::App* app);
  [[nodiscard]] Error not_expected(const std::string& word) const;
  // Sets the option's variable, unless the command line has done so.
  [[nodiscard]] Status take(const Setting& setting);

  std::unique_ptr<CLI::App> own_;  // null: of a command, which its program owns
  CLI::App* app_;
  std::vector<std::unique_ptr<CommandLine>> commands_;
};

}  // namespace hm::cli
