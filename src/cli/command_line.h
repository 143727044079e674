// SPDX-License-Identifier: MIT
// Commands and their options as the user writes them. CLI11 does the parsing and is hidden behind this
// header, because its own header takes ten seconds or more to compile.
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

// An option of a command; valid while the command exists. Each setter returns the option itself.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option type(const std::string& name);   // name of its value in --help
  Option group(const std::string& name);  // its heading in --help
  Option hide();                          // not in --help
  Option show_default();                  // shows the variable's current value as the default
  Option show_default(const std::string& text);
  Option separated_by(char delimiter);  // several values in one word
  Option one_at_a_time();               // the option's name precedes each value
  Option value_may_be_left_out();       // the value is optional and defaults to the default's text
  Option required();
  Option needs(const Option& other);

  // Restrict the accepted values.
  Option one_of(const std::vector<std::string>& words);
  Option between(int least, int most);
  Option between(uint64_t least, uint64_t most);
  Option between(double least, double most);
  Option positive();
  // `check` returns an error sentence, or an empty string if the word is valid. `words` describes the check
  // in --help.
  Option check(const std::function<std::string(std::string&)>& check, const std::string& words);

  // The texts of --help.
  [[nodiscard]] std::vector<std::string> names() const;  // "-e", "--event"; empty for a positional option
  [[nodiscard]] std::string positional_name() const;
  [[nodiscard]] std::string type_text() const;  // with the accepted values: "TEXT:{auto,linux,soft}"
  [[nodiscard]] std::string description() const;
  [[nodiscard]] std::string default_text() const;
  [[nodiscard]] std::string group_name() const;
  [[nodiscard]] bool is_hidden() const;

  [[nodiscard]] bool takes_value() const;
  [[nodiscard]] bool may_lack_value() const;
  // Valid after parse(): the command line has the option.
  [[nodiscard]] bool is_stated() const;
  // Returns whether the option's first check accepts the word.
  [[nodiscard]] bool accepts(std::string word) const;

 private:
  CLI::Option* option_;
};

// The program itself, or one of its commands. The variables that options set must outlive it.
class CommandLine {
 public:
  CommandLine(const std::string& name, const std::string& description);  // for the program itself
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;
  ~CommandLine();

  // Commands with the same `group` are listed together, under it.
  CommandLine& add_command(const std::string& name, const std::string& summary, const std::string& group);
  void answer_version(const std::string& text);
  void require_command();
  // The first word that is not an option begins another program's command line, see rest().
  void take_program();
  void set_footer(const std::string& text);

  // `names` is for example "-q,--quiet"; a positional option has no dashes.
  Option add_flag(const std::string& names, const std::string& description);  // has no effect
  Option add_flag(const std::string& names, bool& value, const std::string& description);
  // Sets `value` to "true", or to the text after "=".
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
  Option add_option(const std::string& names, std::optional<double>& value, const std::string& description);

  // Parses `words`, the arguments after the program's name, and sets the variables. Returns the output of
  // --help or --version, or an empty string if a command was chosen. Fails with kInvalidArgument and the
  // reason.
  [[nodiscard]] Result<std::string> parse(std::vector<std::string> words);

  // Reads options from a TOML file by their long names, for example budget = "0.5%". The command line takes
  // precedence. Call this after parse(). Fails with kNotFound, or with kInvalidArgument, the file and the
  // reason, also if the file contains one of the `unexpected` options.
  [[nodiscard]] Status read_settings(const std::string& path, const std::vector<std::string>& unexpected);

  // Sets the option with the setting's name, unless the option is set already. Fails with kInvalidArgument,
  // the line and the reason.
  [[nodiscard]] Status take(const Setting& setting);

  // Valid after parse().
  [[nodiscard]] bool chosen() const;
  [[nodiscard]] std::vector<std::string> rest() const;

  [[nodiscard]] std::string name() const;
  [[nodiscard]] std::string summary() const;
  [[nodiscard]] std::string footer() const;
  [[nodiscard]] std::string help() const;
  [[nodiscard]] bool takes_program() const;
  [[nodiscard]] std::vector<Option> options() const;
  // `name` is for example "-e" or "--event". Fails with kInvalidArgument and the most similar name if there
  // is no such option.
  [[nodiscard]] Result<Option> find_option(const std::string& name) const;

 private:
  explicit CommandLine(CLI::App* app);
  [[nodiscard]] Error not_expected(const std::string& word) const;

  std::unique_ptr<CLI::App> own_;  // null for a command, which is owned by its program
  CLI::App* app_;
  std::vector<std::unique_ptr<CommandLine>> commands_;
};

}  // namespace hm::cli
