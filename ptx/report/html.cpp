// Writes the page of a report; see html.hpp.
#include "html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "html_style.hpp"
#include "markup.hpp"
#include "picture.hpp"
#include "text.hpp"

namespace bankproof::ptx {

namespace {

constexpr std::string_view head_row =
    R"(<tr><th>line</th><th title="executions by warps">visits</th>)"
    R"(<th title="active lanes a visit">lanes</th>)"
    R"(<th title="shared wavefronts: actual / ideal">shared</th><th>excess</th>)"
    R"(<th title="global lines: actual / ideal">lines</th>)"
    R"(<th title="global sectors: actual / ideal">sectors</th><th>excess</th>)"
    R"(<th title="stages on the ports of the memories">time</th>)";
constexpr std::string_view proofs_head =
    R"(<th class="code" title="for all launches of which the assumptions hold">proved, and not</th>)";
constexpr std::string_view source_head = "<th class=\"code\">source</th></tr>\n";
constexpr int count_cells = 8;

// The lines of a text, in which blanks replace tabs.
std::vector<std::string> lines_of_text(std::string_view text) {
  constexpr std::size_t tab = 8;
  std::vector<std::string> lines;
  std::string line;
  for (const char c : text) {
    if (c == '\n') {
      if (line.ends_with('\r')) line.pop_back();
      lines.push_back(std::move(line));
      line.clear();
    } else if (c == '\t') {
      line.append(tab - line.size() % tab, ' ');
    } else {
      line += c;
    }
  }
  if (!line.empty()) lines.push_back(std::move(line));
  return lines;
}

std::string pair_text(std::uint64_t actual, std::uint64_t ideal) {
  return actual == 0 && ideal == 0 ? std::string() : fmt::format("{} / {}", actual, ideal);
}
std::string number_text(bool present, std::uint64_t value) {
  return present ? std::to_string(value) : std::string();
}

class Page {
 public:
  Page(const KernelReport& report, const SourceTexts& sources, const Limits& limits,
       const LineProofs& proofs)
      : report_(report), sources_(sources), limits_(limits), proofs_(proofs) {}

  std::string make() {
    const std::string title = html(report_.kernel);
    text_ = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
        "<meta name=\"viewport\" content=\"width=device-width\"><title>{}</title>\n<style>{}"
        "</style></head>\n<body><h1>{}</h1>\n",
        title, html_style, title);
    totals();
    faults();
    for (const std::string& file : files()) listing(file);
    assumptions();
    return std::move(text_) + "</body></html>\n";
  }

 private:
  void totals() {
    const AccessCounts& all = report_.totals;
    text_ += fmt::format(
        R"(<p class="totals">on {}: {}, {}, {} by threads; shared wavefronts {} (ideal {}), global )"
        "lines {} (ideal {}), sectors {} (ideal {})</p>\n",
        html(report_.machine), counted(report_.launches, "launch", "es"),
        counted(report_.time, "time unit"), counted(report_.instructions, "instruction"),
        all.wavefronts, all.ideal_wavefronts, all.lines, all.ideal_lines, all.sectors,
        all.ideal_sectors);
    for (const std::string& text : taken_texts(report_)) {
      text_ += fmt::format("<p class=\"totals\">{}</p>\n", html(text));
    }
    for (const std::string& text : library_texts(report_)) {
      text_ += fmt::format("<p class=\"totals\">{}</p>\n", html(text));
    }
    const bool passes = judge(report_, limits_).passes();
    text_ += fmt::format("<p class=\"verdict{0}\">{1}</p>\n", passes ? "" : " fails",
                         html(verdict_text(report_, limits_)));
  }

  static std::string anchor(const SourceLine& at) {
    // The anchor contains the file's full name, which no other file has. Characters that an anchor
    // cannot have are escaped.
    std::string name = "L" + std::to_string(at.line) + "-";
    for (const char c : at.file) {
      name += std::isalnum(static_cast<unsigned char>(c)) != 0
                  ? std::string(1, c)
                  : fmt::format("_{:02x}", static_cast<unsigned char>(c));
    }
    return name;
  }

  static std::string fault_text(const FaultReport& fault) {
    const std::string alone =
        fault.command.empty() ? "" : fmt::format("<br><code>{}</code>", html(fault.command));
    return fmt::format(R"(<span class="{}"><b>{}</b>{}: {}{}{}</span>)",
                       *waiver_text(fault) != '\0' ? "suppressed" : "fault", name_of(fault.kind),
                       waiver_text(fault), html(fault.message),
                       fault.count > 1 ? fmt::format(" ({} times)", fault.count) : "", alone);
  }

  void faults() {
    if (report_.faults.empty()) return;
    text_ += fmt::format("<h2>{}</h2>\n<ul>\n", counted(report_.faults.size(), "fault"));
    for (const FaultReport& fault : report_.faults) {
      text_ += fmt::format("<li><a href=\"#{}\">{}</a> {}</li>\n", anchor(fault.at),
                           html(place_text(fault.at)), fault_text(fault));
    }
    text_ += "</ul>\n";
  }

  /// Those of the report, then others with lines about which something is proved.
  std::vector<std::string> files() const {
    std::vector<std::string> all = reported_files(report_);
    for (const auto& [line, marks] : proofs_.lines) {
      if (std::find(all.begin(), all.end(), line.file) == all.end()) all.push_back(line.file);
    }
    return all;
  }

  void assumptions() {
    if (proofs_.lines.empty()) return;
    text_ += "<h2>Assumed by the proofs</h2>\n<ul>\n";
    for (const std::string& one : proofs_.assumptions) text_ += "<li>" + html(one) + "</li>\n";
    text_ += "</ul>\n";
  }

  void listing(const std::string& file) {
    text_ += fmt::format("<h2>{}</h2>\n<div class=\"listing\"><table>\n{}{}{}", html(file),
                         head_row, proofs_.lines.empty() ? "" : proofs_head, source_head);
    std::set<std::uint32_t> numbers;
    for (const LineReport& line : report_.lines) {
      if (line.at.file == file) numbers.insert(line.at.line);
    }
    for (const FaultReport& fault : report_.faults) {
      if (fault.at.file == file) numbers.insert(fault.at.line);
    }
    for (const auto& [line, marks] : proofs_.lines) {
      if (line.file == file) numbers.insert(line.line);
    }
    const auto source = sources_.find(file);
    std::vector<std::string> code;
    if (source != sources_.end()) code = lines_of_text(source->second);
    for (std::uint32_t number = 1; number <= code.size(); ++number) numbers.insert(number);
    for (const std::uint32_t number : numbers) {
      const bool known = number >= 1 && number <= code.size();
      row({file, number}, known ? code[number - 1] : std::string());
    }
    text_ += "</table></div>\n";
  }

  const LineReport* find(const SourceLine& at) const {
    const auto found = std::lower_bound(
        report_.lines.begin(), report_.lines.end(), at,
        [](const LineReport& line, const SourceLine& wanted) { return line.at < wanted; });
    return found != report_.lines.end() && found->at == at ? &*found : nullptr;
  }

  void row(const SourceLine& at, const std::string& code) {
    const LineReport* line = find(at);
    text_ += fmt::format(R"(<tr id="{}"{}><td class="number">{}</td>)", anchor(at),
                         line != nullptr ? heat(*line) : "",
                         at.line == 0 ? "" : std::to_string(at.line));
    if (line == nullptr) {
      for (int k = 0; k < count_cells; ++k) text_ += "<td></td>";
    } else {
      counts(*line);
    }
    marks(at);
    text_ += fmt::format("<td class=\"code\">{}</td></tr>\n", html(code));
    for (const FaultReport& fault : report_.faults) {
      if (fault.at == at) note(fault_text(fault) + chain(fault));
    }
    if (line != nullptr) unfolded(*line);
  }

  void marks(const SourceLine& at) {
    if (proofs_.lines.empty()) return;
    const auto found = proofs_.lines.find(at);
    text_ += fmt::format("<td class=\"claims\">{}</td>",
                         found == proofs_.lines.end() ? "" : marks_html(found->second));
  }

  // A line is hot if more than half of its traffic is excess.
  static const char* heat(const LineReport& line) {
    const AccessCounts& c = line.counts;
    const std::uint64_t shared = line.shared_excess();
    const std::uint64_t global = line.global_excess();
    if (shared == 0 && global == 0) return "";
    return 2 * shared > c.wavefronts || 2 * global > c.sectors ? R"( class="hot")"
                                                               : R"( class="warm")";
  }

  void counts(const LineReport& line) {
    const AccessCounts& c = line.counts;
    const double lanes = line.visits == 0 ? 0
                                          : static_cast<double>(line.active_lanes) /
                                                static_cast<double>(line.visits);
    text_ += fmt::format(
        "<td>{}</td><td>{:.1f}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>"
        "<td>{}</td>",
        line.visits, lanes, pair_text(c.wavefronts, c.ideal_wavefronts),
        number_text(c.wavefronts > 0, line.shared_excess()), pair_text(c.lines, c.ideal_lines),
        pair_text(c.sectors, c.ideal_sectors), number_text(c.sectors > 0, line.global_excess()),
        number_text(line.time > 0, line.time));
  }

  void note(const std::string& content) {
    text_ += fmt::format("<tr class=\"note\"><td colspan=\"{}\">{}</td></tr>\n",
                         count_cells + (proofs_.lines.empty() ? 2 : 3), content);
  }

  static std::string chain(const FaultReport& fault) {
    if (fault.chain.size() < 2) return {};
    std::string list;
    for (const SourceLine& link : fault.chain) list += "<li>" + html(place_text(link)) + "</li>";
    return "<details><summary>calls, innermost first</summary><ol>" + list + "</ol></details>";
  }

  std::string figure(const AccessPicture& picture, PicturedMemory memory) const {
    const bool shared = memory == PicturedMemory::shared;
    std::string what = shared ? "shared memory" : "global memory";
    const auto buffer = report_.buffers.find(picture.buffer);
    if (!shared && buffer != report_.buffers.end()) what += ", " + buffer->second;
    const std::string label = fmt::format(
        "{}: launch {}, block {}, warp of thread {}, {}-byte elements, {} in excess", what,
        picture.warp.launch, picture.warp.block, picture.warp.thread, picture.element_bytes,
        counted(picture.excess, shared ? "wavefront" : "sector"));
    const std::string svg = picture_svg(picture, memory, report_.machine, label);
    if (svg.empty()) return {};
    return "<figure>" + svg + "<figcaption>" + html(label) + "</figcaption></figure>";
  }

  void unfolded(const LineReport& line) {
    std::string content;
    if (line.counts.worst_shared)
      content += figure(*line.counts.worst_shared, PicturedMemory::shared);
    if (line.counts.worst_global)
      content += figure(*line.counts.worst_global, PicturedMemory::global);
    if (!line.inlined.empty()) {
      content += "<p>code of other lines:";
      for (const SourceLine& at : line.inlined) content += " " + html(place_text(at));
      content += "</p>";
    }
    if (content.empty()) return;
    const bool excess = line.shared_excess() > 0 || line.global_excess() > 0;
    const bool pictures = line.counts.worst_shared || line.counts.worst_global;
    note(fmt::format("<details{}><summary>{}</summary>{}</details>",
                     excess ? R"( open="open")" : "", pictures ? "worst access" : "inlined",
                     content));
  }

  const KernelReport& report_;
  const SourceTexts& sources_;
  const Limits& limits_;
  const LineProofs& proofs_;
  std::string text_;
};

}  // namespace

std::string as_html(const KernelReport& report, const SourceTexts& sources, const Limits& limits,
                    const LineProofs& proofs) {
  return Page(report, sources, limits, proofs).make();
}

}  // namespace bankproof::ptx
