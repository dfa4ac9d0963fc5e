// The JUnit report: what continuous integration shows beside other tests. One suite, a case for
// each access; a case fails when a warp takes more than the limit.
#include <fmt/format.h>

#include <pugixml.hpp>
#include <sstream>

#include "formats.hpp"

namespace bankproof::cli {
namespace {

void add_property(pugi::xml_node properties, const char* name, const std::string& value) {
  pugi::xml_node property = properties.append_child("property");
  property.append_attribute("name") = name;
  property.append_attribute("value") = value.c_str();
}

std::string summary(const AccessResult& access) {
  const ConflictReport& report = access.report;
  return fmt::format("stages {}, ideal {}, excess {}, max {}, mean {:.4f}", report.stages,
                     report.ideal, report.excess(), report.max, report.mean());
}

void add_case(pugi::xml_node suite, const CheckReport& report, const AccessResult& access) {
  pugi::xml_node node = suite.append_child("testcase");
  node.append_attribute("classname") = "bankproof.check";
  node.append_attribute("name") = std::string(access.name()).c_str();
  node.append_attribute("time") = "0";
  if (access.over_limit > 0) {
    pugi::xml_node failure = node.append_child("failure");
    const std::string message = fmt::format(
        "{} of {} take more than {}; warp {} takes {}: {}", access.over_limit,
        counted(access.report.warps, "warp"), counted(report.max_stages, report.memory.unit()),
        access.report.worst_warp, access.report.max, reason(report.memory, access.worst));
    failure.append_attribute("message") = message.c_str();
    failure.append_attribute("type") = "stages";
    failure.text() = summary(access).c_str();
  }
  node.append_child("system-out").text() = summary(access).c_str();
}

}  // namespace

std::string as_junit(const CheckReport& report) {
  std::size_t failures = 0;
  for (const AccessResult& access : report.accesses) failures += access.over_limit > 0;

  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "UTF-8";
  pugi::xml_node suite = document.append_child("testsuites").append_child("testsuite");
  suite.append_attribute("name") =
      fmt::format("bankproof check {}", report.permutation.name).c_str();
  suite.append_attribute("tests") = report.accesses.size();
  suite.append_attribute("failures") = failures;
  suite.append_attribute("errors") = 0;
  suite.append_attribute("skipped") = 0;
  suite.append_attribute("time") = "0";
  pugi::xml_node properties = suite.append_child("properties");
  add_property(properties, "permutation", report.permutation.name);
  add_property(properties, "size", std::to_string(report.permutation.size()));
  add_property(properties, "machine", report.memory.description());
  add_property(properties, "width", std::to_string(report.memory.width()));
  add_property(properties, "max_stages", std::to_string(report.max_stages));
  for (const std::string& note : report.memory.notes) add_property(properties, "note", note);
  for (const AccessResult& access : report.accesses) add_case(suite, report, access);

  std::ostringstream text;
  document.save(text, "  ");
  return text.str();
}

}  // namespace bankproof::cli
