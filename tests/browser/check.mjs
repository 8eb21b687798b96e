// Looks at pages with a real browser, and prints what it sees as JSON: node check.mjs BROWSER SCREENSHOTS PAGE... [-- PAGE...]
// An empty text for SCREENSHOTS: none are made.
//
// Pages are looked at at four widths in light colors, and at one in dark ones, with the first rows of each group open; those behind `--` at two widths as
// they open.
//
// For each page: messages of the console, requests, dialogs, faults of the HTML, and for each color scheme and width the
// violations that axe-core finds, whether the page is wider than the window, and what is drawn in each figure.

import { mkdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { HtmlValidate } from "html-validate";
import puppeteer from "puppeteer-core";

const [browserPath, screenshots, ...given] = process.argv.slice(2);
const fourViews = given.includes("--") ? given.slice(0, given.indexOf("--")) : given;
const pages = given.filter((argument) => argument !== "--");
const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const validator = new HtmlValidate({
  root: true,
  extends: ["html-validate:standard"],
  // Matters of taste: how tags are written, and lines that end in a blank within <pre>.
  rules: { "void-style": "off", "no-trailing-whitespace": "off", "long-title": "off", "no-inline-style": "off" },
});

/** What is drawn, seen from within the page. */
function look() {
  const shown = (element) => {
    const box = element.getBoundingClientRect();
    return { left: box.left, top: box.top, right: box.right, bottom: box.bottom };
  };
  const visible = [...document.querySelectorAll("figure")].filter((figure) => figure.checkVisibility());
  const figures = visible.map((figure) => {
    const svg = figure.querySelector("svg");
    const frame = shown(svg);
    const inside = (element) => {
      const box = shown(element);
      return box.left >= frame.left - 1 && box.right <= frame.right + 1 && box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1;
    };
    const count = (selector) => svg.querySelectorAll(selector).length;
    const texts = [...svg.querySelectorAll("text")].filter((text) => text.textContent.trim());
    const inks = new Set(texts.map((text) => getComputedStyle(text).fill));
    // Lines of a text may touch: what counts is the middle of its letters.
    const middles = texts.map((text) => {
      const { left, right, top, bottom } = shown(text);
      const inset = (bottom - top) * 0.2;
      return { text: text.textContent, left: left + 1, right: right - 1, top: top + inset, bottom: bottom - inset };
    });
    const crossed = middles.flatMap((a, index) =>
      middles.slice(index + 1).filter((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom).map((b) => `${a.text} / ${b.text}`),
    );
    return {
      id: figure.id,
      title: figure.querySelector("h3").textContent,
      points: Number(figure.dataset.points),
      bars: Number(figure.dataset.bars),
      circles: count("circle"),
      rectangles: count("rect"),
      outside: [...svg.querySelectorAll("circle, rect"), ...texts].filter((element) => !inside(element)).length,
      texts: texts.length,
      crossed: crossed.slice(0, 5),
      smallest_text: Math.min(...texts.map((text) => text.getBoundingClientRect().height)),
      inks: [...inks],
      ground: getComputedStyle(svg).backgroundColor,
    };
  });
  return { width: document.documentElement.scrollWidth, height: document.documentElement.scrollHeight, figures, overlaps: overlaps(), order: order() };

  /** Texts that overlap another one, or reach out of the window. What scrolls by itself may do so. */
  function overlaps() {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const boxes = [];
    const range = document.createRange();
    while (walker.nextNode() && boxes.length < 6000) {
      const node = walker.currentNode;
      const parent = node.parentElement;
      // Rows that are closed have places, and are not seen.
      if (!node.data.trim() || !parent.checkVisibility() || parent.closest("svg, script, style, option, .scroll, .skip")) continue;
      range.selectNodeContents(node);
      for (const box of range.getClientRects()) {
        // Lines of a text may touch: what counts is the middle of its letters.
        const inset = box.height * 0.25;
        if (box.width > 1) boxes.push({ node, left: box.left, right: box.right, top: box.top + inset, bottom: box.bottom - inset });
      }
    }
    const found = boxes.filter((box) => box.left < -1 || box.right > innerWidth + 1).map((box) => `outside: ${box.node.data}`);
    boxes.sort((a, b) => a.top - b.top);
    boxes.forEach((a, index) => {
      for (let at = index + 1; at < boxes.length && boxes[at].top < a.bottom; at += 1) {
        const b = boxes[at];
        if (a.node !== b.node && a.left < b.right - 1 && b.left < a.right - 1) found.push(`${a.node.data} / ${b.node.data}`);
      }
    });
    return found.slice(0, 5);
  }

  /** Whether rows that take the focus come in the order in which they stand, and nothing changes the order of the document. */
  function order() {
    if ([...document.querySelectorAll("[tabindex]")].some((one) => one.tabIndex > 0)) return false;
    const tops = [...document.querySelectorAll(".group > summary, .rows ol > li > details > summary")].filter((one) => one.getClientRects().length && one.tabIndex >= 0);
    const places = tops.map((one) => one.getBoundingClientRect().top);
    return places.every((top, index) => index === 0 || places[index - 1] <= top);
  }
}

/** The words of a page that does not run scripts. */
const words = () => {
  const copy = document.body.cloneNode(true);
  copy.querySelectorAll("script, .bar").forEach((one) => one.remove());
  return copy.textContent.replace(/\s+/g, " ").trim();
};

/** What the script of a page does: it filters by name, and keys move between rows. `null` where there are fewer than two rows. */
async function filtered(page) {
  const count = () => document.querySelectorAll(".rows ol > li:not([hidden])").length;
  if (!(await page.$(".bar input"))) return null;
  const before = await page.evaluate(count);
  const name = await page.evaluate(() => document.querySelector(".rows ol > li b").textContent);
  await page.keyboard.press("/");
  await page.keyboard.type(name.slice(-20));
  await new Promise((wait) => setTimeout(wait, 500));
  const after = await page.evaluate(count);
  await page.keyboard.press("Escape");
  const again = await page.evaluate(count);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("j");
  const focus = await page.evaluate(() => document.activeElement.tagName);
  return { before, after, again, focus };
}

/** Whether the first presses of Tab go through the page in its order. */
async function tabbed(page) {
  await page.evaluate(() => {
    document.activeElement.blur();
    const all = [...document.querySelectorAll("a[href], summary, input, select, [tabindex='0']")];
    window.inOrder = all.filter((one) => one.checkVisibility());
  });
  for (let index = 0; index < 12; index += 1) {
    await page.keyboard.press("Tab");
    const fits = await page.evaluate((index) => index >= window.inOrder.length || document.activeElement === window.inOrder[index], index);
    if (!fits) return false;
  }
  await page.evaluate(() => document.activeElement.blur());
  return true;
}

async function inspect(browser, path) {
  const page = await browser.newPage();
  const found = { path, console: [], requests: [], dialogs: [], html: [], views: [] };
  page.on("console", (message) => found.console.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => found.console.push(`error: ${error.message}`));
  page.on("dialog", async (dialog) => {
    found.dialogs.push(dialog.message());
    await dialog.dismiss();
  });
  const address = pathToFileURL(path).href;
  page.on("request", (request) => {
    if (request.url() !== address) found.requests.push(request.url());
  });
  const isWhole = fourViews.includes(path);
  // A long page would keep the validator busy for a minute, and has nothing that a short one has not.
  const report = isWhole ? await validator.validateFile(path) : { results: [] };
  for (const result of report.results) {
    for (const message of result.messages) {
      found.html.push(`${message.line}:${message.column} ${message.ruleId}: ${message.message}`);
    }
  }
  await page.setJavaScriptEnabled(false);
  await page.goto(address, { waitUntil: "load" });
  const without = await page.evaluate(words);
  await page.setJavaScriptEnabled(true);
  // Pages are the same whatever was looked at before: a page is loaded once, and its views are changed.
  const begin = Date.now();
  await page.goto(address, { waitUntil: "load" });
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  found.opened_ms = Date.now() - begin;
  found.tabbed = await tabbed(page);
  found.says_the_same = without === (await page.evaluate(words));
  found.filtered = await filtered(page);
  // Its policy forbids the page to run scripts of others; the test may.
  await page.evaluate(axeSource);
  // Of many rows of a kind the first ones show what there is to see.
  const open = () => {
    document.querySelectorAll("details").forEach((one) => (one.open = true));
    const isRest = (row) => [...row.parentElement.children].indexOf(row) >= 4;
    [...document.querySelectorAll(".rows ol > li")].filter(isRest).forEach((row) => row.querySelectorAll("details").forEach((one) => (one.open = false)));
  };
  if (isWhole) await page.evaluate(open);
  for (const scheme of ["light", "dark"]) {
    // Places depend on the width alone, and contrast on the colors.
    const widths = scheme === "light" ? [360, 768, 1280, 1920] : [360];
    for (const width of isWhole ? widths : [scheme === "light" ? 1280 : 360]) {
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
      await page.setViewport({ width, height: 900 });
      const seen = await page.evaluate(look);
      const isVast = (await page.evaluate(() => document.querySelectorAll(".rows ol > li").length)) > 2000;
      // What axe-core finds depends on the colors, and on the layouts for narrow and wide windows: one width in each scheme.
      const isLeftOut = isVast || width !== (scheme === "light" ? 1280 : 360);
      const options = { resultTypes: ["violations"] };
      const axe = isLeftOut ? { violations: [] } : await page.evaluate((options) => window.axe.run(document, options), options);
      const violations = axe.violations.map(({ id, impact, nodes }) => ({
        id,
        impact,
        nodes: nodes.slice(0, 3).map((node) => `${node.target.join(" ")}: ${node.failureSummary}`),
      }));
      found.views.push({ scheme, width, ...seen, document_width: seen.width, violations });
      found.views.at(-1).width = width;
      if (screenshots) {
        mkdirSync(screenshots, { recursive: true });
        const name = `${basename(path, ".html")}-${scheme}-${width}.png`;
        await page.screenshot({ path: join(screenshots, name), fullPage: seen.height < 16000 });
      }
    }
  }
  // On paper, about as wide as a sheet of A4.
  await page.emulateMediaType("print");
  await page.setViewport({ width: 700, height: 1000 });
  const paper = await page.evaluate(look);
  Object.assign(found, { print_width: paper.width, print_overlaps: paper.overlaps });
  if (screenshots) await page.screenshot({ path: join(screenshots, `${basename(path, ".html")}-print.png`) });
  await page.close();
  return found;
}

const launch = () =>
  puppeteer.launch({
    executablePath: browserPath,
    headless: true,
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"],
  });
const seen = new Array(pages.length);
const left = pages.map((_, index) => index);
/** Looks at one page after the other, until none is left. */
async function inTurn() {
  const browser = await launch();
  try {
    while (left.length) {
      const index = left.shift();
      seen[index] = await inspect(browser, pages[index]);
    }
  } finally {
    await browser.close();
  }
}
// Two browsers, each with the page in front that it looks at: one behind another one would not be drawn.
await Promise.all([inTurn(), inTurn()]);
console.log(JSON.stringify(seen, null, 1));
