// A module: its head, then variables, functions and debug information in any order.
#include "parser.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

#include "body.hpp"
#include "cursor.hpp"
#include "declarations.hpp"
#include "names.hpp"

namespace bankproof::ptx {

namespace {

// The form of a directive between the parameters and the body: its name, and the least and the most
// numbers after it.
struct DirectiveForm {
  std::string_view name;
  std::size_t least;
  std::size_t most;
};
constexpr std::array directive_forms{
    DirectiveForm{".maxntid", 1, 3},         DirectiveForm{".reqntid", 1, 3},
    DirectiveForm{".minnctapersm", 1, 1},    DirectiveForm{".maxnctapersm", 1, 1},
    DirectiveForm{".maxnreg", 1, 1},         DirectiveForm{".noreturn", 0, 0},
    DirectiveForm{".explicitcluster", 0, 0}, DirectiveForm{".reqnctapercluster", 1, 3},
    DirectiveForm{".maxclusterrank", 1, 1},
};

// Sections that say nothing about how a kernel runs.
constexpr std::array<std::string_view, 11> skipped_sections{
    ".debug_abbrev",  ".debug_info",    ".debug_line",     ".debug_loc",
    ".debug_macinfo", ".debug_ranges",  ".debug_pubnames", ".debug_pubtypes",
    ".debug_frame",   ".debug_aranges", ".debug_macro"};

class ModuleParser {
 public:
  ModuleParser(std::string_view text, const std::string& file) : cursor_(text, file) {
    module_.file = file;
  }

  Module run() {
    head();
    while (!cursor_.at(TokenKind::end)) item();
    check_initializers();
    return std::move(module_);
  }

 private:
  void head() {
    cursor_.expect(".version");
    version();
    cursor_.expect(".target");
    cursor_.list([&] { module_.target.push_back(cursor_.word("a target")); });
    if (!cursor_.accept(".address_size")) {
      // The directive is of PTX 2.3. In older modules the size is that of the compiler's option,
      // and programs of 64 bits load those of 64 bits.
      if (std::pair(module_.major, module_.minor) < std::pair(2U, 3U)) module_.address_size = 64;
      return;
    }
    module_.address_size = cursor_.number("the size of an address");
    if (module_.address_size != 64 && module_.address_size != 32) {
      cursor_.fail("an address has 32 or 64 bits");
    }
  }

  void version() {
    const std::string_view text = cursor_.token().text;
    const std::size_t dot = text.find('.');
    const auto part = [](std::string_view digits) {
      const auto value = value_of(digits);
      const bool good = value && value->kind == Immediate::Kind::integer && value->bits < 1000;
      return good ? std::optional(static_cast<std::uint32_t>(value->bits)) : std::nullopt;
    };
    if (!cursor_.at(TokenKind::number) || dot == std::string_view::npos) {
      cursor_.expected("a version such as 7.8");
    }
    const auto major = part(text.substr(0, dot));
    const auto minor = part(text.substr(dot + 1));
    if (!major || !minor) cursor_.expected("a version such as 7.8");
    module_.major = *major;
    module_.minor = *minor;
    cursor_.take();
  }

  void item() {
    if (cursor_.at(".file")) {
      module_.files.push_back(parse_file(cursor_));
    } else if (cursor_.accept(".section")) {
      section();
    } else if (cursor_.accept(".pragma")) {
      cursor_.quoted("the text of the pragma");
      cursor_.expect(';');
    } else {
      const Place place = cursor_.place();
      const Linkage linkage = parse_linkage(cursor_);
      if (cursor_.at(".entry") || cursor_.at(".func")) {
        function(linkage, place);
      } else if (cursor_.at(TokenKind::dotted) && space_of_directive(cursor_.token().text)) {
        variable(linkage);
      } else if (cursor_.at(TokenKind::dotted)) {
        cursor_.unsupported("the directive " + shown(cursor_.token()));
      } else {
        cursor_.expected("a directive");
      }
    }
  }

  // ---- Variables and functions

  [[noreturn]] void twice(const std::string& name, Place place) const {
    cursor_.fail("'" + name + "' is declared twice", place);
  }

  void variable(Linkage linkage) {
    Variable made = parse_variable(cursor_, linkage);
    if (made.space == Space::param) cursor_.fail("a parameter outside of functions", made.place);
    const std::size_t index = module_.variables.size();
    const auto [known, is_new] =
        names_.emplace(made.name, Symbol{made.name, Symbol::Kind::variable, index, 0});
    // A definition may follow an .extern declaration, and then replaces it.
    if (!is_new) {
      const bool promised = known->second.kind == Symbol::Kind::variable &&
                            module_.variables[known->second.index].linkage == Linkage::external;
      if (!promised) twice(made.name, made.place);
      known->second.index = index;
    }
    module_.order.push_back({false, index});
    module_.variables.push_back(std::move(made));
  }

  void function(Linkage linkage, Place place) {
    Function made;
    made.place = place;
    made.linkage = linkage;
    made.entry = cursor_.accept(".entry");
    if (!made.entry) cursor_.expect(".func");
    if (!made.entry) made.results = parse_parameters(cursor_);
    made.name = cursor_.word("the name of a function");
    made.parameters = parse_parameters(cursor_);
    while (cursor_.at(TokenKind::dotted)) made.directives.push_back(function_directive());
    made.defined = cursor_.at('{');
    declare(made);
    if (made.defined) {
      parse_body(cursor_, made, module_.files);
      resolve_names(made, names_, cursor_.file());
    } else {
      cursor_.expect(';');
    }
    module_.order.push_back({true, module_.functions.size()});
    module_.functions.push_back(std::move(made));
  }

  // A function may be declared any number of times and defined once.
  void declare(const Function& made) {
    const Symbol symbol{made.name, Symbol::Kind::function, module_.functions.size(), 0};
    const auto [known, is_new] = names_.emplace(made.name, symbol);
    if (!is_new && known->second.kind != Symbol::Kind::function) twice(made.name, made.place);
    if (made.defined && !defined_.insert(made.name).second) twice(made.name, made.place);
  }

  FunctionDirective function_directive() {
    const auto form = std::find_if(directive_forms.begin(), directive_forms.end(),
                                   [&](const DirectiveForm& f) { return cursor_.at(f.name); });
    if (form == directive_forms.end()) {
      cursor_.unsupported("the directive " + shown(cursor_.token()) + " of a function");
    }
    FunctionDirective result{cursor_.dotted("a directive"), {}};
    if (form->most == 0) return result;
    cursor_.list([&] {
      if (result.numbers.size() == form->most) cursor_.fail("too many numbers");
      result.numbers.push_back(cursor_.number("a number"));
    });
    return result;
  }

  // An initializer may name variables and functions from anywhere in the module.
  void check_initializers() {
    for (Variable& variable : module_.variables) {
      for (InitialValue& initial : variable.initial) {
        auto* symbol = std::get_if<Symbol>(&initial.value);
        if (!symbol) continue;
        const auto known = names_.find(symbol->name);
        if (known == names_.end()) {
          cursor_.fail("unknown name '" + symbol->name + "'", initial.place);
        }
        symbol->kind = known->second.kind;
        symbol->index = known->second.index;
      }
    }
  }

  // ---- Debug information

  void section() {
    const std::string_view name = cursor_.token().text;
    const bool strings = cursor_.at(".debug_str");
    const bool skipped =
        std::find(skipped_sections.begin(), skipped_sections.end(), name) != skipped_sections.end();
    if (!strings && !skipped) cursor_.unsupported("the section " + shown(cursor_.token()));
    cursor_.take();
    cursor_.expect('{');
    while (!cursor_.at('}')) {
      if (strings) {
        debug_string();
      } else if (cursor_.at('{') || cursor_.at(TokenKind::end)) {
        cursor_.expected("the end of the section");
      } else {
        cursor_.take();
      }
    }
    cursor_.take();
  }

  void debug_string() {
    if (cursor_.at(TokenKind::word)) {
      module_.strings.push_back({cursor_.word("a label"), {}});
      cursor_.expect(':');
      return;
    }
    if (module_.strings.empty()) cursor_.expected("a label");
    cursor_.expect(".b8");
    cursor_.list(
        [&] { module_.strings.back().bytes += static_cast<char>(cursor_.number("a byte", 255)); });
  }

  Cursor cursor_;
  Module module_;
  Symbols names_;
  std::unordered_set<std::string> defined_;
};

}  // namespace

Module parse(std::string_view text, const std::string& file) {
  return ModuleParser(text, file).run();
}

}  // namespace bankproof::ptx
