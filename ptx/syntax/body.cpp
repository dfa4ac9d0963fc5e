// Parses statements one after the other. The beginning and the end of a scope are statements too,
// so that parsing needs no recursion.
#include "body.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "declarations.hpp"
#include "instructions.hpp"
#include "parser.hpp"

namespace bankproof::ptx {

namespace {

class BodyParser {
 public:
  BodyParser(Cursor& cursor, Function& function, std::vector<SourceFile>& files)
      : cursor_(cursor), function_(function), files_(files) {}

  void run() {
    cursor_.expect('{');
    int depth = 0;
    while (depth > 0 || !cursor_.at('}')) {
      if (cursor_.at('{')) {
        if (++depth == most_scopes) cursor_.unsupported("scopes nested so deep");
        cursor_.take();
        add(ScopeBegin{});
      } else if (cursor_.accept('}')) {
        --depth;
        add(ScopeEnd{});
      } else {
        statement();
      }
    }
    cursor_.expect('}');
  }

 private:
  void add(Statement statement) { function_.body.push_back(std::move(statement)); }

  void statement() {
    if (cursor_.accept(';')) return;  // an empty statement, which asm() may leave behind
    if (cursor_.at(TokenKind::dotted)) {
      directive();
    } else if (cursor_.at(TokenKind::word) && cursor_.after().is_mark(':')) {
      label();
    } else if (cursor_.at(TokenKind::word) || cursor_.at('@')) {
      add(parse_instruction(cursor_));
    } else {
      cursor_.expected("a statement");
    }
  }

  void directive() {
    if (cursor_.at(".reg")) {
      const std::size_t first = function_.registers.size();
      parse_registers(cursor_, function_.registers);
      for (std::size_t d = first; d < function_.registers.size(); ++d) add(Registers{d});
    } else if (cursor_.at(".loc")) {
      add(location());
    } else if (cursor_.at(".file")) {
      files_.push_back(parse_file(cursor_));
    } else if (cursor_.accept(".pragma")) {
      add(Pragma{cursor_.quoted("the text of the pragma")});
      cursor_.expect(';');
    } else if (space_of_directive(cursor_.token().text)) {
      add(parse_variable(cursor_, Linkage::internal));
    } else {
      cursor_.unsupported("the directive " + shown(cursor_.token()) + " in a function");
    }
  }

  void label() {
    const Place place = cursor_.place();
    std::string name = cursor_.word("a label");
    cursor_.expect(':');
    if (cursor_.accept(".branchtargets")) {
      BranchTargets table{std::move(name), {}, place};
      cursor_.list([&] { table.targets.push_back({cursor_.word("a label"), 0}); });
      cursor_.expect(';');
      add(std::move(table));
    } else if (cursor_.accept(".callprototype")) {
      add(prototype(std::move(name), place));
    } else {
      add(Label{std::move(name), place});
    }
  }

  CallPrototype prototype(std::string name, Place place) {
    CallPrototype result{std::move(name), {}, {}, false, place};
    result.results = parse_parameters(cursor_);
    if (!cursor_.token().is(TokenKind::word, "_")) cursor_.expected("'_'");
    cursor_.take();
    result.parameters = parse_parameters(cursor_);
    result.noreturn = cursor_.accept(".noreturn");
    cursor_.expect(';');
    return result;
  }

  SourcePoint point() {
    const std::uint32_t file = cursor_.small_number("the number of a file");
    const std::uint32_t line = cursor_.small_number("a line");
    return {file, line, cursor_.small_number("a column")};
  }

  void keyword(std::string_view name) {
    if (!cursor_.token().is(TokenKind::word, name)) cursor_.expected("'" + std::string(name) + "'");
    cursor_.take();
  }

  Location location() {
    Location result;
    result.place = cursor_.place();
    cursor_.expect(".loc");
    result.at = point();
    if (!cursor_.accept(',')) return result;
    Location::Inlined inlined;
    keyword("function_name");
    inlined.function = cursor_.word("the label of a name");
    if (cursor_.accept('+')) inlined.name_offset = cursor_.number("an offset");
    cursor_.expect(',');
    keyword("inlined_at");
    inlined.into = point();
    result.inlined = std::move(inlined);
    return result;
  }

  Cursor& cursor_;
  Function& function_;
  std::vector<SourceFile>& files_;
};

}  // namespace

void parse_body(Cursor& cursor, Function& function, std::vector<SourceFile>& files) {
  BodyParser(cursor, function, files).run();
}

SourceFile parse_file(Cursor& cursor) {
  SourceFile result;
  cursor.expect(".file");
  result.number = cursor.small_number("the number of a file");
  result.name = cursor.quoted("the name of a file");
  if (cursor.accept(',')) {
    cursor.number("a time");
    cursor.expect(',');
    cursor.number("a size");
  }
  return result;
}

}  // namespace bankproof::ptx
