// SPDX-License-Identifier: MIT
// Each view in light and dark mode: it shows data, has no errors, and axe finds no violations.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, open, openPage, pixelsTooWide, shoot, themes, views, violations } from "./browser.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

for (const theme of themes) {
  test(`every view, ${theme}`, async (t) => {
    const { page, problems, close } = await openPage(browser, { theme });
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), theme);
    for (const view of views) {
      await t.test(view, async () => {
        await open(page, `#/${view}`);
        await page.locator("main").getByText(/\S/).first().waitFor();
        assert.equal(await page.locator(".state-failed").count(), 0, "no failure is shown");
        await shoot(page, `${view}-${theme}`);
        assert.deepEqual(await violations(page), []);
        assert.deepEqual(problems, []);
      });
    }
    await t.test("flame graph", async () => {
      await open(page, "#/hotspots?as=flame");
      await page.locator("[aria-roledescription='call graph'] canvas").waitFor();
      await shoot(page, `flame-${theme}`);
      assert.deepEqual(await violations(page), []);
    });
    await t.test("help", async () => {
      await page.getByRole("button", { name: /^Keys/ }).click();
      await page.getByRole("dialog").waitFor();
      await shoot(page, `help-${theme}`);
      assert.deepEqual(await violations(page), []);
    });
    assert.deepEqual(problems, []);
    await close();
  });
}

for (const width of [360, 768, 1920, 3840]) {
  test(`nothing sticks out at ${width} pixels`, async () => {
    const { page, problems, close } = await openPage(browser, { width, height: 800 });
    for (const view of views) {
      await open(page, `#/${view}`);
      const wide = await pixelsTooWide(page);
      await shoot(page, `${view}-${width}`);
      assert.ok(wide <= 0, `${view} is ${wide} pixels too wide`);
    }
    assert.deepEqual(problems, []);
    await close();
  });
}
