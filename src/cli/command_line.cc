// SPDX-License-Identifier: MIT
#include "cli/command_line.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>
#include <utility>

#include "base/edit_distance.h"

namespace hm::cli {

namespace {

// Shortens a word of the user for an error message.
std::string shortened(const std::string& word) {
  constexpr size_t kMost = 40;
  return word.size() <= kMost ? word : word.substr(0, kMost) + "...";
}

constexpr const char* kHidden = "hidden";

// Leaves hidden options out of --help. CLI11 does so for a group without a name, but then its errors lack the
// option's name.
class Formatter : public CLI::Formatter {
 public:
  [[nodiscard]] std::string make_group(std::string group, bool is_positional,
                                       std::vector<const CLI::Option*> options) const override {
    if (group == kHidden) return "";
    return CLI::Formatter::make_group(std::move(group), is_positional, std::move(options));
  }
};

// CLI11 takes "-1" for the greatest number.
CLI::Option* without_sign(CLI::Option* option) {
  return option->each([](const std::string& word) {
    if (word.starts_with('-'))
      throw CLI::ValidationError(fmt::format("{} is negative, and must not be", word));
  });
}

}  // namespace

Option Option::type(const std::string& name) {
  option_->type_name(name);
  return *this;
}

Option Option::group(const std::string& name) {
  option_->group(name);
  return *this;
}

Option Option::hide() { return group(kHidden); }

Option Option::show_default() {
  option_->capture_default_str();
  return *this;
}

Option Option::show_default(const std::string& text) {
  option_->default_str(text);
  return *this;
}

Option Option::separated_by(char delimiter) {
  option_->delimiter(delimiter);
  return *this;
}

Option Option::one_at_a_time() {
  option_->allow_extra_args(false);
  return *this;
}

Option Option::value_may_be_left_out() {
  option_->expected(0, 1);
  return *this;
}

Option Option::required() {
  option_->required();
  return *this;
}

Option Option::needs(const Option& other) {
  option_->needs(other.option_);
  return *this;
}

Option Option::one_of(const std::vector<std::string>& words) {
  option_->check(CLI::IsMember(words));
  return *this;
}

Option Option::between(int least, int most) {
  option_->check(CLI::Range(least, most));
  return *this;
}

Option Option::between(uint64_t least, uint64_t most) {
  option_->check(CLI::Range(least, most));
  return *this;
}

Option Option::between(double least, double most) {
  option_->check(CLI::Range(least, most));
  return *this;
}

Option Option::positive() {
  option_->check(CLI::Validator(
      [](const std::string& word) {
        constexpr size_t kMaxDigits = 18;  // every number with 18 digits fits 64 bits
        bool is_number = word.find_first_not_of("0123456789") == std::string::npos;
        bool is_zero = word.find_first_not_of('0') == std::string::npos;
        bool is_list = word.find_first_not_of("0123456789 \t\n,") == std::string::npos;
        bool has_blank = word.find_first_of(" \t\n") != std::string::npos;
        if (has_blank && is_list)
          return fmt::format("'{}' has blanks; put commas between the numbers", shortened(word));
        if (!is_number || is_zero) return fmt::format("'{}' is not a whole number above 0", shortened(word));
        return word.size() <= kMaxDigits ? "" : fmt::format("{} is too large", shortened(word));
      },
      "POSITIVE"));
  return *this;
}

Option Option::check(const std::function<std::string(std::string&)>& check, const std::string& words) {
  option_->check(CLI::Validator(check, words));
  return *this;
}

std::vector<std::string> Option::names() const {
  std::vector<std::string> names;
  for (const std::string& name : option_->get_snames()) names.push_back("-" + name);
  for (const std::string& name : option_->get_lnames()) names.push_back("--" + name);
  return names;
}

std::string Option::positional_name() const { return option_->get_name(); }
std::string Option::type_text() const { return option_->get_type_name(); }
std::string Option::description() const { return option_->get_description(); }
std::string Option::default_text() const { return option_->get_default_str(); }
std::string Option::group_name() const { return option_->get_group(); }
bool Option::is_hidden() const { return option_->get_group() == kHidden; }

bool Option::takes_value() const { return option_->get_items_expected_max() > 0; }
bool Option::may_lack_value() const { return option_->get_items_expected_min() == 0; }
bool Option::is_stated() const { return option_->count() != 0; }
bool Option::accepts(std::string word) const { return (*option_->get_validator(0))(word).empty(); }

CommandLine::CommandLine(const std::string& name, const std::string& description)
    : own_(std::make_unique<CLI::App>(description, name)), app_(own_.get()) {
  app_->formatter(std::make_shared<Formatter>());
}
CommandLine::CommandLine(CLI::App* app) : app_(app) {}
CommandLine::~CommandLine() = default;

CommandLine& CommandLine::add_command(const std::string& name, const std::string& summary,
                                      const std::string& group) {
  CLI::App* command = app_->add_subcommand(name, summary)->group(group);
  commands_.push_back(std::unique_ptr<CommandLine>(new CommandLine(command)));
  return *commands_.back();
}

void CommandLine::answer_version(const std::string& text) { app_->set_version_flag("--version", text); }
void CommandLine::require_command() { app_->require_subcommand(1); }
void CommandLine::take_program() { app_->prefix_command(); }
void CommandLine::set_footer(const std::string& text) { app_->footer(text); }

Option CommandLine::add_flag(const std::string& names, const std::string& description) {
  return Option(app_->add_flag(names)->description(description));
}
Option CommandLine::add_flag(const std::string& names, bool& value, const std::string& description) {
  return Option(app_->add_flag(names, value, description));
}
Option CommandLine::add_flag(const std::string& names, std::string& value, const std::string& description) {
  return Option(app_->add_flag(names, value, description));
}
Option CommandLine::add_option(const std::string& names, std::string& value, const std::string& description) {
  return Option(app_->add_option(names, value, description));
}
Option CommandLine::add_option(const std::string& names, std::optional<std::string>& value,
                               const std::string& description) {
  return Option(app_->add_option(names, value, description));
}
Option CommandLine::add_option(const std::string& names, std::vector<std::string>& values,
                               const std::string& description) {
  return Option(app_->add_option(names, values, description));
}
Option CommandLine::add_option(const std::string& names, std::vector<int>& values,
                               const std::string& description) {
  return Option(app_->add_option(names, values, description));
}
Option CommandLine::add_option(const std::string& names, std::optional<int>& value,
                               const std::string& description) {
  return Option(app_->add_option(names, value, description));
}
Option CommandLine::add_option(const std::string& names, unsigned& value, const std::string& description) {
  return Option(without_sign(app_->add_option(names, value, description)));
}
Option CommandLine::add_option(const std::string& names, std::optional<uint32_t>& value,
                               const std::string& description) {
  return Option(without_sign(app_->add_option(names, value, description)));
}
Option CommandLine::add_option(const std::string& names, uint64_t& value, const std::string& description) {
  return Option(without_sign(app_->add_option(names, value, description)));
}
Option CommandLine::add_option(const std::string& names, std::optional<uint64_t>& value,
                               const std::string& description) {
  return Option(without_sign(app_->add_option(names, value, description)));
}
Option CommandLine::add_option(const std::string& names, std::optional<double>& value,
                               const std::string& description) {
  return Option(app_->add_option(names, value, description));
}
Option CommandLine::add_option(const std::string& names, double& value, const std::string& description) {
  return Option(app_->add_option(names, value, description));
}

Result<std::string> CommandLine::parse(std::vector<std::string> words) {
  std::ranges::reverse(words);  // CLI11 expects them in reverse order
  try {
    app_->parse(words);
  } catch (const CLI::ExtrasError&) {
    auto chosen = std::ranges::find_if(commands_, &CommandLine::chosen);
    const CommandLine& command = chosen == commands_.end() ? *this : **chosen;
    std::vector<std::string> extras = command.rest();
    return command.not_expected(extras.empty() ? words.front() : extras.front());
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) return Error{ErrorCode::kInvalidArgument, error.what()};
    std::ostringstream answer;
    app_->exit(error, answer, answer);  // --help, --version
    return answer.str();
  }
  return std::string();
}

Status CommandLine::read_settings(const std::string& path, const std::vector<std::string>& unexpected) {
  Result<std::vector<Setting>> settings = read_settings_file(path);
  if (!settings) return settings.error();
  for (const Setting& setting : *settings) {
    Status taken = std::ranges::find(unexpected, setting.name) == unexpected.end()
                       ? take(setting)
                       : make_error(ErrorCode::kInvalidArgument, "line {}: {} is for the command line only",
                                    setting.line, setting.name);
    if (!taken) return make_error(ErrorCode::kInvalidArgument, "{}: {}", path, taken.error().message);
  }
  return {};
}

Status CommandLine::take(const Setting& setting) {
  Result<Option> known = find_option("--" + setting.name);
  if (!known) return known.error();
  CLI::Option* option = app_->get_option("--" + setting.name);
  const auto wrong = [&](std::string_view what) {
    return make_error(ErrorCode::kInvalidArgument, "line {}: {} {}", setting.line, setting.name, what);
  };
  bool is_switch = option->get_items_expected_max() == 0,
       takes_several = option->get_items_expected_max() > 1;
  bool is_flag = !setting.is_list && setting.values.front().kind == SettingValue::Kind::kFlag;
  if (is_switch && !is_flag) return wrong("takes true or false");
  if (setting.is_list && !takes_several) return wrong("takes one value, not a list");
  for (const SettingValue& value : setting.values) {
    if (!is_switch && value.kind == SettingValue::Kind::kFlag) return wrong("takes neither true nor false");
  }
  if (option->count() != 0 || setting.values.empty()) return {};
  try {
    for (const SettingValue& value : setting.values) option->add_result(value.text);
    option->run_callback();
  } catch (const CLI::ConversionError&) {
    return wrong(fmt::format("cannot be '{}'", setting.values.front().text));
  } catch (const CLI::Error& error) {
    return make_error(ErrorCode::kInvalidArgument, "line {}: {}", setting.line, error.what());
  }
  return {};
}

bool CommandLine::chosen() const { return app_->parsed(); }
std::vector<std::string> CommandLine::rest() const { return app_->remaining(); }

std::string CommandLine::name() const { return app_->get_name(); }
std::string CommandLine::summary() const { return app_->get_description(); }
std::string CommandLine::footer() const { return app_->get_footer(); }
std::string CommandLine::help() const { return app_->help(); }
bool CommandLine::takes_program() const { return app_->get_prefix_command(); }

std::vector<Option> CommandLine::options() const {
  std::vector<Option> options;
  for (CLI::Option* option : app_->get_options()) options.emplace_back(option);
  return options;
}

Result<Option> CommandLine::find_option(const std::string& name) const {
  if (CLI::Option* option = app_->get_option_no_throw(name)) return Option(option);
  return not_expected(name);
}

// Error for a word that is not an option of the command.
Error CommandLine::not_expected(const std::string& word) const {
  if (!word.starts_with('-'))
    return make_error(ErrorCode::kInvalidArgument, "unexpected argument '{}'", word);
  NearestWord nearest(word, word.size() / 2);
  for (const CLI::Option* option : app_->get_options()) {
    for (const std::string& name : option->get_lnames()) nearest.consider("--" + name);
  }
  if (nearest.found().empty()) return make_error(ErrorCode::kInvalidArgument, "unknown option '{}'", word);
  return make_error(ErrorCode::kInvalidArgument, "unknown option '{}'; did you mean '{}'?", word,
                    nearest.found());
}

}  // namespace hm::cli
