
"use strict";
(() => {
  const boxes = [...document.querySelectorAll(".rows")];
  const rows = boxes.flatMap((box) => [...box.querySelectorAll("ol > li")]);
  if (rows.length < 2) return;
  const groups = boxes.flatMap((box) => [...box.querySelectorAll(".group")]);
  const make = (tag, properties, ...inner) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...inner);
    return element;
  };
  const name = new Map(rows.map((row) => [row, row.querySelector("b").textContent.toLowerCase()]));
  const title = new Map(rows.map((row) => [row, row.closest(".group")?.querySelector("b").textContent]));
  const place = new Map(rows.map((row, index) => [row, index]));
  const value = (row) => parseFloat(row.querySelector("i").style.getPropertyValue("--m") || "-1");
  const titles = [...new Set(groups.map((group) => group.querySelector("b").textContent))];
  const was = new Map(groups.map((group) => [group, group.open]));

  const filter = make("input", { type: "search", placeholder: "part of a name" });
  const verdict = make("select", {}, make("option", { value: "" }, "all"), ...titles.map((title) => make("option", {}, title)));
  const order = make(
    "select",
    {},
    ...[["", "as listed"], ["name", "by name"], ["down", "largest first"], ["up", "smallest first"]].map(([value, text]) =>
      make("option", { value }, text),
    ),
  );
  const count = make("output", {});
  const bar = make("form", { className: "bar" }, make("label", {}, "Filter ", filter));
  if (titles.length) bar.append(make("label", {}, "Verdict ", verdict));
  bar.append(make("label", {}, "Order ", order), count, make("small", {}, "Keys: / filter, j and k next and previous row, Enter opens, Esc clears"));
  bar.addEventListener("submit", (event) => event.preventDefault());
  boxes[0].before(bar);

  const show = () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const fits = words.every((word) => name.get(row).includes(word)) && (!verdict.value || title.get(row) === verdict.value);
      if (row.hidden === fits) row.hidden = !fits;
      shown += fits;
    }
    const isFiltered = words.length > 0 || verdict.value !== "";
    for (const group of groups) {
      const has = group.querySelector("ol > li:not([hidden])") !== null;
      group.hidden = !has;
      group.open = isFiltered ? has : was.get(group);
    }
    count.textContent = isFiltered ? `${shown} of ${rows.length}` : "";
  };
  let waiting;
  filter.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(show, 100);
  });
  verdict.addEventListener("change", show);

  const orders = {
    "": (a, b) => place.get(a) - place.get(b),
    name: (a, b) => (name.get(a) < name.get(b) ? -1 : 1),
    down: (a, b) => value(b) - value(a) || place.get(a) - place.get(b),
    up: (a, b) => value(a) - value(b) || place.get(a) - place.get(b),
  };
  order.addEventListener("change", () => {
    for (const list of boxes.flatMap((box) => [...box.querySelectorAll("ol")])) {
      list.append(...[...list.children].sort(orders[order.value]));
    }
  });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && (filter.value || verdict.value)) {
      filter.value = "";
      verdict.value = "";
      return show();
    }
    if (event.target.closest("input, select, textarea")) return;
    if (event.key === "/") {
      event.preventDefault();
      return filter.focus();
    }
    const step = { j: 1, k: -1 }[event.key];
    if (!step) return;
    const all = [...document.querySelectorAll(".group > summary, .rows ol > li > details > summary")].filter((one) => one.getClientRects().length);
    const at = all.indexOf(document.activeElement);
    const next = all[at < 0 && step < 0 ? all.length - 1 : at + step];
    if (next) next.focus();
  });
})();
