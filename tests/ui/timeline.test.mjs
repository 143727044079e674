// SPDX-License-Identifier: MIT
// The time line: axis and ruler, ranges, a legend, lanes by program.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { hasRecordings, isFile, launch, open, openPage, settled, shoot, violations } from "./browser.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const graphOf = (page) => page.locator("[aria-roledescription='time line']");
const rangeOf = (page) => page.evaluate(() => [...location.hash.matchAll(/(?:from|to)=(\d+)/g)].map((found) => Number(found[1])));
const rowTexts = async (page) => {
  const graph = graphOf(page);
  await graph.focus();
  const texts = [];
  for (let i = 0; i < 40; ++i) {
    await page.keyboard.press("ArrowDown");
    const text = (await page.locator("[aria-label='Part of the run'] [aria-live]").innerText()).trim();
    if (text === texts.at(-1)) break;
    texts.push(text);
  }
  return texts;
};

// Returns the colours in a part of the canvas, row by row. A copy is read, as the browser warns of readbacks of others.
const pixelsOf = (page, x, y, width, height) =>
  graphOf(page).locator("canvas").evaluate((canvas, [x, y, width, height]) => {
    const scale = canvas.width / canvas.clientWidth;
    const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
    copy.drawImage(canvas, x * scale, y * scale, width * scale, height * scale, 0, 0, width, height);
    const { data } = copy.getImageData(0, 0, width, height);
    return Array.from({ length: width * height }, (_, index) => data.slice(index * 4, index * 4 + 3).join());
  }, [Math.round(x), y, width, height]);

// Returns the colours of the canvas column at `x`, from top to bottom.
const columnAt = async (page, x) => pixelsOf(page, x, 0, 1, Math.floor((await graphOf(page).boundingBox()).height) - 2);

test("the pointer has a ruler, and a drag shows the range", async () => {
  const { page, problems, close } = await openPage(browser);
  await open(page, "#/timeline");
  const graph = graphOf(page);
  await graph.locator("canvas").waitFor();
  const box = await graph.boundingBox();
  const before = await columnAt(page, box.width * 0.6);
  await page.mouse.move(box.x + box.width * 0.6, box.y + 60);
  await page.locator(".tooltip").waitFor();
  const ruled = await columnAt(page, box.width * 0.6);
  const colour = ruled[Math.floor(ruled.length / 2)];
  assert.notDeepEqual(ruled, before, "a line is drawn");
  assert.ok(ruled.filter((each) => each === colour).length > ruled.length * 0.8, "from the axis through all lanes");
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.8, box.y + 60, { steps: 5 });
  await page.locator(".tooltip").getByText(/cycles to .*cycles\n.* long/).waitFor();
  await shoot(page, "timeline-range");
  await page.mouse.up();
  await page.waitForFunction(() => /from=\d+/.test(location.hash));
  await settled(page);
  const [from, to] = await rangeOf(page);
  assert.ok(from > 0 && to > from);
  // The range is shown whole, and the table has its rates.
  await page.getByRole("region", { name: "Event rates in the part that is shown" }).waitFor();
  await page.mouse.move(box.x + box.width * 0.5, box.y + 60);
  await page.keyboard.down("Shift");
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + 60, { steps: 5 });
  await page.mouse.up();
  await page.keyboard.up("Shift");
  await page.waitForFunction((before) => !location.hash.includes(`from=${before}`), from);
  const moved = await rangeOf(page);
  assert.ok(Math.abs(moved[1] - moved[0] - (to - from)) <= 2, "Shift moves the range");
  await page.goBack();
  await page.waitForFunction(() => !location.hash.includes("from="));
  assert.deepEqual(problems, []);
  await close();
});

test("the axis is on top, and the colours have a legend", async () => {
  const { page, close } = await openPage(browser);
  await open(page, "#/timeline");
  await graphOf(page).locator("canvas").waitFor();
  const box = await graphOf(page).boundingBox();
  const labels = await pixelsOf(page, box.width / 4, 2, Math.floor(box.width / 2), 16);
  assert.ok(new Set(labels).size > 3, "there are times in the first rows");
  const legend = page.getByRole("list", { name: "Colours" });
  const names = await legend.locator("code").allInnerTexts();
  const rows = await page.getByRole("region", { name: "Functions over the whole run" }).locator("tbody tr").count();
  assert.equal(names.length, Math.min(16, rows));
  await legend.getByText("other functions").waitFor();
  await close();
});

test("lanes stand below their program, rare ones are folded", { skip: isFile && "a file holds one recording" }, async () => {
  const { page, problems, close } = await openPage(browser);
  assert.ok(await hasRecordings(page, 4));
  await open(page, "#/timeline?recording=3");
  await graphOf(page).locator("canvas").waitFor();
  const texts = await rowTexts(page);
  assert.match(texts[0], /^gather 9\d\.\d%, 2 lanes: Enter folds 2 lanes\.$/);
  assert.match(texts[1], /^\d+ gather\.$/);
  assert.match(texts.at(-1), /^\d+ lanes below 1%: Enter shows \d+ lanes\.$/);
  await shoot(page, "timeline-folded");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => location.hash.includes("folds="));
  const unfolded = await rowTexts(page);
  assert.ok(unfolded.some((text) => /^\d+ (ls|sh)\.$/.test(text)), unfolded.join("\n"));
  // A click on the group's name folds it.
  const box = await graphOf(page).boundingBox();
  const heightBefore = box.height;
  const top = await page.evaluate(() => document.querySelectorAll("[aria-label='Event rates in the part that is shown'] tbody tr").length * 36 + 40);
  await graphOf(page).click({ position: { x: 20, y: top + 13 } });
  await page.waitForFunction((before) => document.querySelector("[aria-roledescription='time line']").clientHeight < before - 40, heightBefore);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(problems, []);
  await close();
});
