// The page is well-formed, loads nothing from elsewhere, has each line with its counts, and shows
// the worst accesses. Names, sources and messages appear as text, whatever they contain.
#include "../../../ptx/report/html.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <pugixml.hpp>
#include <string>
#include <utility>
#include <vector>

#include "../../../ptx/report/picture.hpp"
#include "support.hpp"

namespace bankproof::ptx {

namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string source =
    "#define N 1 // <b>&amp;\"'\n\n\n\n\n\n\n\n\nload();\nx = in[<i>];\n\tadd();\ncall();\n";

AccessPicture picture(std::uint32_t element_bytes, std::uint64_t stride, std::uint64_t excess) {
  AccessPicture made;
  made.lanes = all_lanes;
  made.element_bytes = element_bytes;
  made.excess = excess;
  made.buffer = 1;
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) made.addresses[lane] = lane * stride;
  return made;
}

KernelReport page_report() {
  MadeUp kernel(three_files);
  AccessCounts shared = shared_cost(32, 1);
  shared.worst_shared = picture(4, 128, 31);
  kernel.accesses.add(5, shared);
  AccessCounts global = global_cost(32, 4);
  global.worst_global = picture(4, 128, 28);
  kernel.accesses.add(1, global);
  kernel.faults.add(FaultKind::race, 6, no_site, {},
                    [] { return std::string("<script>r</script>"); });
  return kernel.report();
}

std::string page() { return as_html(page_report(), {{"tile.cu", source}}, {}); }

// The page as XML. Only its document type and its open <meta> elements are not XML: the first is
// removed, and the others are closed.
pugi::xml_document parsed(std::string html) {
  const std::string doctype = "<!DOCTYPE html>";
  html.erase(html.find(doctype), doctype.size());
  for (std::size_t at = html.find("<meta "); at != html.npos; at = html.find("<meta ", at + 1)) {
    html.insert(html.find('>', at), "/");
  }
  pugi::xml_document document;
  const auto result =
      document.load_string(html.c_str(), pugi::parse_default | pugi::parse_ws_pcdata);
  EXPECT_TRUE(result) << result.description() << " at "
                      << html.substr(static_cast<std::size_t>(result.offset), 80);
  return document;
}

std::string text_of(const pugi::xml_node& node) {
  std::string text;
  for (const auto& found : node.select_nodes(".//text()")) text += found.node().value();
  return text;
}

TEST(KernelPage, is_well_formed_and_needs_nothing_from_elsewhere) {
  parsed(page());
  const std::string html = page();
  for (const char* outside : {"http:", "https:", "src=", "<script", "<link", "@import", "url("}) {
    EXPECT_THAT(html, Not(HasSubstr(outside)));
  }
  EXPECT_THAT(html, HasSubstr("prefers-color-scheme: dark"));
}

TEST(KernelPage, lists_the_source_with_counts_beside_it) {
  const auto document = parsed(page());
  const auto rows = document.select_nodes("//table[1]/tr[@id]");
  ASSERT_EQ(rows.size(), 13U) << "the file has 13 lines";
  const auto cells = rows[12].node().select_nodes("td");
  ASSERT_EQ(cells.size(), 10U);
  EXPECT_EQ(text_of(cells[0].node()), "13");
  EXPECT_EQ(text_of(cells[3].node()), "32 / 1");
  EXPECT_EQ(text_of(cells[4].node()), "31");
  EXPECT_EQ(text_of(cells[9].node()), "call();");
  EXPECT_STREQ(rows[12].node().attribute("class").value(), "hot");
  EXPECT_STREQ(rows[11].node().attribute("class").value(), "");
  EXPECT_EQ(text_of(rows[0].node().select_nodes("td")[9].node()), "#define N 1 // <b>&amp;\"'");
  EXPECT_EQ(text_of(rows[11].node().select_nodes("td")[9].node()), "        add();");
}

TEST(KernelPage, has_faults_at_their_lines_with_their_chain) {
  const auto document = parsed(page());
  const auto after = document.select_node("//tr[td='call();']/following-sibling::tr[1]").node();
  EXPECT_THAT(text_of(after), HasSubstr("race: block (0,0), thread (0,0): <script>r</script>"));
  EXPECT_EQ(after.select_nodes(".//li").size(), 3U);
  const std::string link = document.select_node("//ul/li/a/@href").attribute().value();
  const std::string target = "//tr[@id='" + link.substr(1) + "']";
  EXPECT_EQ(document.select_nodes(target.c_str()).size(), 1U);
}

TEST(KernelPage, says_what_fails_as_the_text_does) {
  const auto verdict = [](const Limits& limits) {
    const auto document = parsed(as_html(page_report(), {}, limits));
    const auto node = document.select_node("//p[starts-with(@class, 'verdict')]").node();
    return std::pair(std::string(node.attribute("class").value()), text_of(node));
  };
  EXPECT_EQ(verdict({.fail_on = {{}}, .max_shared_excess = 31, .max_global_excess = 28}),
            std::pair(std::string("verdict"), std::string("passes")));
  EXPECT_EQ(verdict({.fail_on = {{}}, .max_shared_excess = 30, .max_global_excess = {}}),
            std::pair(std::string("verdict fails"),
                      std::string("fails: 1 line with more than 30 excess wavefronts")));
}

TEST(KernelPage, shows_of_a_file_that_cannot_be_read_what_is_reported) {
  const auto document = parsed(as_html(page_report(), {}, {}));
  EXPECT_EQ(document.select_nodes("//table[1]/tr[@id]").size(), 4U);
}

TEST(KernelPage, says_what_is_proved_of_each_line) {
  LineProofs proofs;
  for (const char* claim : {"race", "bounds", "race"}) proofs.add({"tile.cu", 13}, "proved", claim);
  proofs.add({"tile.cu", 13}, "refuted", "banks");
  proofs.add({"other.cuh", 7}, "unknown", "<race>");
  proofs.assumptions = {"n <= 1 << 20"};
  const auto document = parsed(as_html(page_report(), {{"tile.cu", source}}, {}, proofs));
  const auto rows = document.select_nodes("//table[1]/tr[@id]");
  const auto cells = rows[12].node().select_nodes("td");
  ASSERT_EQ(cells.size(), 11U);
  EXPECT_EQ(text_of(cells[9].node()), "banks race bounds");
  EXPECT_STREQ(cells[9].node().select_node("span[1]/@class").attribute().value(), "refuted");
  EXPECT_STREQ(cells[9].node().select_node("span[2]/@class").attribute().value(), "proved");
  EXPECT_EQ(text_of(cells[10].node()), "call();");
  EXPECT_EQ(text_of(rows[0].node().select_nodes("td")[9].node()), "");
  EXPECT_EQ(document.select_nodes("//span[@class='unknown'][.='<race>']").size(), 1U);
  EXPECT_EQ(document.select_nodes("//li[.='n <= 1 << 20']").size(), 1U);
  for (const auto& note : document.select_nodes("//tr[@class='note']/td")) {
    EXPECT_EQ(note.node().attribute("colspan").as_int(), 11);
  }
}

// The cells of a picture: the x of each rectangle that belongs to a stage.
std::vector<int> columns(const pugi::xml_node& svg) {
  std::vector<int> found;
  for (const auto& rect : svg.select_nodes("rect[starts-with(@class, 's')]")) {
    found.push_back(rect.node().attribute("x").as_int());
  }
  return found;
}

TEST(KernelPage, draws_the_worst_access_of_each_memory) {
  const auto document = parsed(page());
  const auto pictures = document.select_nodes("//figure/svg");
  ASSERT_EQ(pictures.size(), 2U);
  for (const auto& picture : pictures) {
    const auto cells = columns(picture.node());
    ASSERT_EQ(cells.size(), 32U);
    EXPECT_EQ(std::count(cells.begin(), cells.end(), cells.front()), 32) << "all in one column";
    const auto stages = picture.node().select_nodes("text[@class='stage']");
    EXPECT_EQ(text_of(stages[0].node()), "1");
    EXPECT_EQ(text_of(stages[31].node()), "32");
  }
  EXPECT_EQ(text_of(pictures[0].node().child("title")),
            "global memory, out: launch 0, block 0, warp of thread 0, 4-byte elements, 28 sectors "
            "in excess");
}

TEST(KernelPicture, of_a_conflict_free_access_is_a_diagonal_of_one_stage) {
  const std::string svg = picture_svg(picture(4, 4, 0), PicturedMemory::shared, "hmm:w=32", "l");
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(svg.c_str()));
  auto cells = columns(document.child("svg"));
  ASSERT_EQ(cells.size(), 32U);
  EXPECT_TRUE(std::is_sorted(cells.begin(), cells.end()));
  EXPECT_EQ(std::adjacent_find(cells.begin(), cells.end()), cells.end());
  EXPECT_EQ(document.select_nodes("//text[@class='stage'][.='1']").size(), 32U);
}

TEST(KernelPicture, leaves_inactive_lanes_out_and_widens_wide_elements) {
  AccessPicture some = picture(8, 8, 0);
  some.lanes = 0x0000000fU;
  const std::string svg = picture_svg(some, PicturedMemory::shared, "sm_90", "<\"l\">");
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(svg.c_str()));
  EXPECT_EQ(columns(document.child("svg")).size(), 4U);
  EXPECT_STREQ(document.child("svg").attribute("aria-label").value(), "<\"l\">");
  EXPECT_EQ(document.select_nodes("//rect[@class='s0'][@width='25']").size(), 4U);
}

TEST(KernelPicture, is_missing_if_the_machine_has_no_rule) {
  EXPECT_EQ(picture_svg(picture(16, 16, 0), PicturedMemory::shared, "kepler-32bit", ""), "");
  EXPECT_EQ(picture_svg(picture(3, 3, 0), PicturedMemory::shared, "hmm", ""), "");
  EXPECT_EQ(picture_svg(picture(0, 0, 0), PicturedMemory::shared, "hmm", ""), "");
}

}  // namespace

}  // namespace bankproof::ptx
