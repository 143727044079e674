// SPDX-License-Identifier: MIT
// The source view: it opens at the hottest row, shows one event, and its code can be read at each width.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, open, openPage, settled, shoot } from "./browser.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const instructions = (page) => page.getByRole("region", { name: "Instructions" });

// Returns true if the row with the most samples lies within its frame.
const showsHottest = (frame) =>
  frame.evaluate((each) => {
    const row = each.querySelector("tr[data-hottest]")?.getBoundingClientRect();
    const area = each.getBoundingClientRect();
    return row !== undefined && row.top >= area.top && row.bottom <= area.bottom + 1;
  });

// Returns the text of the samples of a row: "2,920 100.0%".
const samplesOf = (row) => row.locator(".margin").first().innerText();

for (const width of [390, 1024, 1440]) {
  test(`code at ${width} pixels`, async () => {
    const { page, problems, close } = await openPage(browser, { width, height: 600 });
    await open(page, "#/source");
    const frames = page.locator(".listing");
    assert.ok((await frames.count()) >= 1);
    for (const frame of await frames.all()) {
      if ((await frame.locator("tr[data-hottest]").count()) === 0) continue;
      assert.ok(await showsHottest(frame), "the hottest row is in view");
    }
    const hot = instructions(page).locator("tr[data-hottest]");
    const shares = await instructions(page).locator("tr[data-row] .margin").allInnerTexts();
    const share = (text) => Number(/([\d.]+)%/.exec(text)?.[1] ?? 0);
    assert.equal(share(await samplesOf(hot)), Math.max(...shares.map(share)));
    // The code stands before the samples, and has room for an instruction with its operands.
    const code = await hot.locator(".line-of-code").boundingBox();
    const samples = await hot.locator(".margin").boundingBox();
    assert.ok(code.x + code.width <= samples.x + 1);
    assert.ok(code.width > 150, `the code is ${code.width} pixels wide`);
    const isCut = await hot.locator(".line-of-code").evaluate((each) => each.scrollWidth > each.clientWidth);
    assert.equal(isCut, false, "the hottest instruction is not cut");
    await shoot(page, `source-${width}`);
    assert.deepEqual(problems, []);
    await close();
  });
}

test("one column of samples, or one for each event", async () => {
  const { page, problems, close } = await openPage(browser, { width: 1440 });
  await open(page, "#/source?event=l2_cache_miss");
  assert.equal(await page.getByRole("combobox", { name: "Event" }).inputValue(), "l2_cache_miss");
  assert.equal(await instructions(page).locator("th.margin-head").count(), 1);
  await page.getByText(/^[\d.]+% ±[\d.]+ of l2_cache_miss, [\d,]+ samples/).waitFor();
  await page.getByRole("checkbox", { name: "columns for all events" }).check();
  await page.waitForFunction(() => location.hash.includes("events=all"));
  await settled(page);
  const heads = await instructions(page).locator("th.margin-head").allInnerTexts();
  assert.ok(heads.length >= 3, "a column for each event");
  assert.equal(heads[0], "l2_cache_miss", "the chosen event comes first");
  await shoot(page, "source-all-events");
  assert.deepEqual(problems, []);
  await close();
});

test("the fullest bar is of the hottest row", async () => {
  const { page, close } = await openPage(browser, { width: 1440 });
  await open(page, "#/source");
  const widths = await instructions(page).locator(".margin-fill").evaluateAll((fills) => fills.map((each) => each.style.width));
  assert.ok(widths.includes("100%"), "bars are scaled to the largest row");
  await close();
});
