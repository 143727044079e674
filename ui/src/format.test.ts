// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import test from "node:test";
import * as format from "./format";

test("counts", () => {
  assert.equal(format.grouped(1234567), "1,234,567");
  assert.equal(format.grouped(-1234), "-1,234");
  assert.equal(format.grouped(0), "0");
  assert.equal(format.grouped(null), "-");
  assert.equal(format.countOf(1, "sample", "samples"), "1 sample");
  assert.equal(format.countOf(1200, "sample", "samples"), "1,200 samples");
  assert.equal(format.number(0.5234), "0.523");
  assert.equal(format.number(0.00034), "0.00034");
  assert.equal(format.number(12.34), "12.3");
  assert.equal(format.number(undefined), "-");
});

test("rates", () => {
  assert.equal(format.rateText(0), "0/s");
  assert.equal(format.rateText(12.34), "12.3/s");
  assert.equal(format.rateText(999.7), "1.00 k/s");
  assert.equal(format.rateText(1_735_342), "1.74 M/s");
  assert.equal(format.rateText(null), "-");
});

test("shares with their interval", () => {
  assert.equal(format.shareText({ value: 0.123, low: 0.119, high: 0.127 }), "12.3% ±0.4");
  assert.equal(format.shareText({ value: 1, low: null, high: null }), "100.0% (too few samples)");
  assert.equal(format.shareText(null), "-");
  assert.equal(format.percent(1), "100.0%");
  assert.equal(format.percent(undefined), "-");
});

test("bytes and durations", () => {
  assert.equal(format.bytesText(512), "512 B");
  assert.equal(format.bytesText(32768), "32 KiB");
  assert.equal(format.bytesText(1.5 * 1024 * 1024), "1.50 MiB");
  assert.equal(format.bytesText(12.34 * 1024), "12.3 KiB");
  assert.equal(format.bytesText(null), "-");
  assert.equal(format.durationText(1250000), "1.25 ms");
  assert.equal(format.durationText(12.5e9), "12.5 s");
  assert.equal(format.durationText(640), "640 ns");
  assert.equal(format.durationText(0), "0 s");
  assert.equal(format.durationText(null), "-");
});

test("a time line's times are durations or modelled cycles", () => {
  assert.equal(format.axisText(1250000, "ns"), "1.25 ms");
  assert.equal(format.axisText(1250000, "cycles"), "1.25 Mcycles");
  assert.equal(format.axisText(12.5e9, "cycles"), "12.5 Gcycles");
  assert.equal(format.axisText(640, "cycles"), "640 cycles");
  assert.equal(format.axisText(null, "cycles"), "-");
  assert.equal(format.axisRateText(12.34, "ns"), "12.3/s");
  assert.equal(format.axisRateText(5000, "cycles"), "5/Mcycle");
});

test("changes have a sign", () => {
  assert.equal(format.signed(1234), "+1,234");
  assert.equal(format.signed(-1234), "-1,234");
  assert.equal(format.signedPercent(-0.0544), "-5.4%");
  assert.equal(format.signedPercent(null), "-");
});

test("names from recordings", () => {
  assert.equal(format.printable("a\u0000b\u001b[31m\u202ec\u009b\n"), "a\\x00b\\x1b[31m\\u202ec\\u009b\\x0a");
  assert.equal(format.printable("價格 👩‍🔬 שלום"), "價格 👩‍🔬 שלום");
  assert.equal(format.printable("<b>x</b>"), "<b>x</b>");
  assert.equal(format.shortName("void std::vector<int, std::allocator<int> >::push_back(int const&)"), "std::vector::push_back");
  assert.equal(format.shortName("main"), "main");
  assert.equal(format.shortName("[sort+0x9a00]"), "[sort+0x9a00]");
  assert.equal(format.placeText("/a/b/gather.c", 51), "gather.c:51");
  assert.equal(format.placeText(null, null), "");
  assert.equal(format.commandText(["sort", "a file", "it's"]), "sort 'a file' 'it'\\''s'");
});
