// Looks at pages with a real browser, and prints what it sees as JSON: node check.mjs BROWSER SCREENSHOTS PAGE... [-- PAGE...]
// An empty text for SCREENSHOTS: none are made.
//
// Pages are looked at in both colour schemes and both widths; those behind `--` in the light one when wide and in the dark one
// when narrow.
//
// For each page: messages of the console, requests, dialogs, faults of the HTML, and for each colour scheme and width the
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
  const figures = [...document.querySelectorAll("figure")].map((figure) => {
    const svg = figure.querySelector("svg");
    const frame = shown(svg);
    const inside = (element) => {
      const box = shown(element);
      return box.left >= frame.left - 1 && box.right <= frame.right + 1 && box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1;
    };
    const count = (selector) => svg.querySelectorAll(selector).length;
    const texts = [...svg.querySelectorAll("text")].filter((text) => text.textContent.trim());
    const colour = (element) => getComputedStyle(element).fill;
    return {
      id: figure.id,
      title: figure.querySelector("h3").textContent,
      points: Number(figure.dataset.points),
      bars: Number(figure.dataset.bars),
      circles: count("circle"),
      rectangles: count("rect"),
      outside: [...svg.querySelectorAll("circle, rect"), ...texts].filter((element) => !inside(element)).length,
      texts: texts.length,
      // The box of a turned text is as wide as its letters are high.
      smallest_text: Math.min(...texts.map((text) => { const box = text.getBoundingClientRect(); return Math.max(box.width, box.height); })),
      ink: texts.length ? colour(texts[0]) : "",
      ground: getComputedStyle(svg).backgroundColor,
    };
  });
  return { width: document.documentElement.scrollWidth, figures };
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
  const report = await validator.validateFile(path);
  for (const result of report.results) {
    for (const message of result.messages) {
      found.html.push(`${message.line}:${message.column} ${message.ruleId}: ${message.message}`);
    }
  }
  const isWhole = fourViews.includes(path);
  // Pages are the same whatever was looked at before: a page is loaded once, and its views are changed.
  await page.goto(address, { waitUntil: "load" });
  // Its policy forbids the page to run scripts; the test may.
  await page.evaluate(axeSource);
  for (const scheme of ["light", "dark"]) {
    for (const width of isWhole ? [1200, 400] : [scheme === "light" ? 1200 : 400]) {
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
      await page.setViewport({ width, height: 900 });
      const seen = await page.evaluate(look);
      const axe = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
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
        await page.screenshot({ path: join(screenshots, name), fullPage: true });
      }
    }
  }
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
