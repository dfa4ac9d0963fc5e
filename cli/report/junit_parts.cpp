// See junit_parts.hpp.
#include "junit_parts.hpp"

#include <algorithm>
#include <pugixml.hpp>
#include <sstream>

namespace bankproof::cli {
namespace {

void add_case(pugi::xml_node suite, const std::string& class_name, const JunitCase& one) {
  pugi::xml_node node = suite.append_child("testcase");
  node.append_attribute("classname") = class_name.c_str();
  node.append_attribute("name") = one.name.c_str();
  node.append_attribute("time") = one.seconds.c_str();
  if (one.failure) {
    pugi::xml_node failure = node.append_child(one.failure->error ? "error" : "failure");
    failure.append_attribute("message") = one.failure->message.c_str();
    failure.append_attribute("type") = one.failure->type.c_str();
    failure.text() = one.failure->text.c_str();
  }
  if (one.skipped) node.append_child("skipped").append_attribute("message") = one.skipped->c_str();
  if (!one.output.empty()) node.append_child("system-out").text() = one.output.c_str();
}

}  // namespace

std::string junit_text(const JunitSuite& suite) {
  const auto count = [&](const auto& holds) {
    return std::count_if(suite.cases.begin(), suite.cases.end(), holds);
  };
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "UTF-8";
  pugi::xml_node node = document.append_child("testsuites").append_child("testsuite");
  node.append_attribute("name") = suite.name.c_str();
  node.append_attribute("tests") = suite.cases.size();
  node.append_attribute("failures") =
      count([](const JunitCase& one) { return one.failure && !one.failure->error; });
  node.append_attribute("errors") =
      count([](const JunitCase& one) { return one.failure && one.failure->error; });
  node.append_attribute("skipped") =
      count([](const JunitCase& one) { return one.skipped.has_value(); });
  node.append_attribute("time") = suite.seconds.c_str();
  if (!suite.properties.empty()) {
    pugi::xml_node properties = node.append_child("properties");
    for (const auto& [name, value] : suite.properties) {
      pugi::xml_node property = properties.append_child("property");
      property.append_attribute("name") = name.c_str();
      property.append_attribute("value") = value.c_str();
    }
  }
  for (const JunitCase& one : suite.cases) add_case(node, suite.class_name, one);

  std::ostringstream text;
  document.save(text, "  ");
  return text.str();
}

}  // namespace bankproof::cli
