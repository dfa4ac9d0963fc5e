// Writes a proof as a page: the claims, and the source with what is proved of each line.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>
#include <system_error>

#include "../../ptx/report/html_style.hpp"
#include "../../ptx/report/line_proofs.hpp"
#include "../../ptx/report/markup.hpp"
#include "../readers/text_file.hpp"
#include "reports.hpp"

namespace bankproof::cli {
namespace {

using symbolic::Decision;
using symbolic::Finding;
using symbolic::Verdict;

constexpr std::string_view style = R"css(
table.claims td { text-align: left; white-space: normal; vertical-align: top; }
table.claims { min-width: 0; } pre { white-space: pre-wrap; margin: .2rem 0 .8rem; }
)css";

ptx::LineProofs line_proofs(const symbolic::KernelProof& proof) {
  ptx::LineProofs marks;
  for (const Decision& one : proof.decisions) {
    for (const ptx::SourceLine& line : one.lines) {
      if (one.verdict == Verdict::proved) marks.add(line, name_of(one.verdict), name_of(one.claim));
    }
    for (const Finding& finding : one.findings) {
      for (const ptx::SourceLine& line : finding.lines) {
        marks.add(line, name_of(finding.verdict), name_of(one.claim));
      }
    }
  }
  return marks;
}

std::string anchor(const ptx::SourceLine& at, std::size_t file) {
  return fmt::format("f{}l{}", file, at.line);
}

class Page {
 public:
  explicit Page(const symbolic::KernelProof& proof)
      : proof_(proof), marks_(line_proofs(proof).lines) {
    for (const auto& [line, marks] : marks_) {
      files_.try_emplace(line.file, files_.size());
    }
  }

  std::string make() {
    const std::string title = ptx::html(proof_.kernel);
    text_ = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
        "<meta name=\"viewport\" content=\"width=device-width\"><title>{}</title>\n<style>{}{}"
        "</style></head>\n<body><h1>{}</h1>\n",
        title, ptx::html_style, style, title);
    claims();
    for (const auto& [file, number] : files_) listing(file, number);
    findings();
    text_ += "<h2>Assumed</h2>\n<ul>\n";
    for (const std::string& one : proof_.assumptions) text_ += item(ptx::html(one));
    return std::move(text_) + "</ul>\n</body></html>\n";
  }

 private:
  static std::string item(const std::string& content) { return "<li>" + content + "</li>\n"; }
  static std::string marked(Verdict verdict, std::string_view text) {
    return fmt::format(R"(<span class="{0}" title="{0}">{1}</span>)", name_of(verdict),
                       ptx::html(text));
  }

  void claims() {
    text_ += "<table class=\"claims\">\n";
    for (const Decision& one : proof_.decisions) {
      text_ += fmt::format("<tr><td>{}</td><td>{}</td><td>{}{}</td></tr>\n",
                           marked(one.verdict, name_of(one.verdict)), name_of(one.claim),
                           ptx::html(what_is_claimed(one)),
                           one.why.empty() ? "" : ": " + ptx::html(one.why));
    }
    text_ += "</table>\n";
  }

  void listing(const std::string& file, std::size_t number) {
    text_ += fmt::format(
        "<h2>{}</h2>\n<div class=\"listing\"><table>\n<tr><th>line</th>"
        "<th class=\"code\">proved, and not</th><th class=\"code\">source</th></tr>\n",
        ptx::html(file));
    std::map<std::uint32_t, std::string> code = code_of(file);
    for (const auto& [line, marks] : marks_) {
      if (line.file == file) code.try_emplace(line.line);
    }
    for (const auto& [line, source] : code) {
      const ptx::SourceLine at{file, line};
      text_ += fmt::format(
          "<tr id=\"{}\"><td class=\"number\">{}</td><td class=\"claims\">{}</td>"
          "<td class=\"code\">{}</td></tr>\n",
          anchor(at, number), line, badges(at), ptx::html(source));
    }
    text_ += "</table></div>\n";
  }

  std::string badges(const ptx::SourceLine& at) const {
    const auto found = marks_.find(at);
    return found == marks_.end() ? "" : ptx::marks_html(found->second);
  }

  static std::map<std::uint32_t, std::string> code_of(const std::string& file) {
    constexpr std::size_t longest = std::size_t{1} << 26U;
    std::map<std::uint32_t, std::string> lines;
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored)) return lines;
    std::istringstream text(whole_file(file, longest, "source"));
    std::string line;
    for (std::uint32_t number = 1; std::getline(text, line); ++number) {
      if (line.ends_with('\r')) line.pop_back();
      lines[number] = line;
    }
    return lines;
  }

  void findings() {
    for (const Decision& one : proof_.decisions) {
      for (const Finding& finding : one.findings) {
        text_ += fmt::format("<h2>{} {}</h2>\n<p>",
                             marked(finding.verdict, name_of(finding.verdict)), name_of(one.claim));
        for (const ptx::SourceLine& line : finding.lines) {
          text_ += fmt::format("<a href=\"#{}\">{}</a> ", anchor(line, files_.at(line.file)),
                               ptx::html(shown_line(line)));
        }
        text_ += "</p>\n<pre>";
        const std::string details = shown_finding(finding);
        for (std::size_t begin = 0; begin < details.size();) {
          const std::size_t end = std::min(details.find('\n', begin), details.size());
          text_ += ptx::html(details.substr(begin, end - begin)) + "\n";
          begin = end + 1;
        }
        text_ += "</pre>\n";
      }
    }
  }

  const symbolic::KernelProof& proof_;
  std::map<ptx::SourceLine, std::vector<ptx::LineMark>> marks_;
  std::map<std::string, std::size_t> files_;
  std::string text_;
};

}  // namespace

std::string kernel_proof_as_html(const symbolic::KernelProof& proof) { return Page(proof).make(); }

}  // namespace bankproof::cli
