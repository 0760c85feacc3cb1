// Draws the charts, filters by case, sorts tables, and saves the data.
// The page is complete without scripts: every number is also in a table.
"use strict";
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const byId = (id) => document.getElementById(id);
  const cases = JSON.parse(byId("cases").textContent);
  const rawLines = byId("raw").textContent.split("\n");
  const styles = getComputedStyle(document.documentElement);

  // --- theme: the system's, unless the reader has chosen one.
  const root = document.documentElement;
  const store = {
    get: () => { try { return localStorage.getItem("fathom-theme"); } catch { return null; } },
    set: (theme) => { try { localStorage.setItem("fathom-theme", theme); } catch { /* not kept */ } },
  };
  if (["light", "dark"].includes(store.get())) root.dataset.theme = store.get();
  byId("theme").addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    store.set(root.dataset.theme);
  });

  // --- charts: SVG with colours from CSS variables, so that a theme change needs no redraw.
  const font = styles.getPropertyValue("--sans").trim();
  const axis = {
    labelColor: "var(--muted)", titleColor: "var(--muted)", titleFontWeight: "normal",
    labelFontSize: 11.5, titleFontSize: 11.5, labelLimit: 190, titlePadding: 8, labelPadding: 6,
    domain: false, ticks: false, gridColor: "var(--line)", gridOpacity: 0.75, labelOverlap: "greedy",
  };
  const config = {
    font, background: "transparent", view: { stroke: null }, axis,
    axisY: { minExtent: 44 }, text: { color: "var(--muted)", fontSize: 11, font },
  };
  // --- ticks: round numbers that fit the available space, for scales that Vega does not handle well.
  const span = (from, to) => Array.from({ length: Math.max(0, to - from + 1) }, (_, step) => from + step);
  const within = (values, low, high) => values.filter((value) => value >= low && value <= high);
  const powers = (base, mantissas, low, high) => within(
    span(Math.floor(Math.log(low) / Math.log(base)), Math.ceil(Math.log(high) / Math.log(base)))
      .flatMap((power) => mantissas.map((mantissa) => mantissa * base ** power)), low, high);
  const fine = [...span(10, 19).map((step) => step / 10), ...span(10, 24).map((step) => step / 5), ...span(10, 19).map((step) => step / 2)];
  function logTicks(base, low, high, most) {
    const sets = base === 2
      ? [[2, [1, 1.25, 1.5, 1.75]], [2, [1]], [4, [1]], [16, [1]]]
      : [[10, fine], [10, [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8]], [10, [1, 2, 5]], [10, [1, 3]], [10, [1]]];
    const choices = sets.map(([step, mantissas]) => powers(step, mantissas, low, high));
    return choices.find((values) => values.length <= most) ?? choices.at(-1);
  }
  function binaryTicks(high, most) {
    let step = 1;
    while (high / step > most) step *= 2;
    return span(0, Math.floor(high / step)).map((count) => count * step);
  }
  // Sets the domain and the ticks of logarithmic axes and of byte axes to fit the given rows.
  function fitAxes(spec, values, width) {
    const fitted = structuredClone(spec);
    for (const side of ["x", "y"]) {
      const channels = fitted.layer.map(({ encoding }) => encoding[side]).filter((channel) => channel?.scale);
      const fields = new Set(fitted.layer.flatMap(({ encoding }) => [encoding[side]?.field, encoding[`${side}2`]?.field]));
      const fixed = fitted.layer.map(({ encoding }) => encoding[side]?.datum);
      const known = [...fields].flatMap((field) => values.map((row) => row[field])).concat(fixed).filter((value) => value > 0);
      const logarithmic = channels[0]?.scale.type === "log";
      const sizes = channels[0]?.axis?.labelExpr?.includes("KiB");
      if (known.length === 0 || !(logarithmic || sizes)) continue;
      const [least, largest] = [Math.min(...known), Math.max(...known)];
      const margin = 1.04 * (largest / least) ** 0.03;
      const most = side === "x" ? Math.max(2, (width - 130) / 78) : fitted.height / 34;
      for (const { scale, axis: marks } of channels) {
        if (logarithmic) scale.domain = [least / margin, largest * margin];
        marks.values = logarithmic ? logTicks(scale.base, ...scale.domain, most)
          : binaryTicks(Math.max(...values.map((row) => row.total ?? largest)), most);
      }
    }
    return fitted;
  }
  const figures = all("figure").map((figure) => ({
    target: figure.querySelector(".chart"),
    spec: JSON.parse(figure.querySelector(".spec").textContent),
    drawn: null,
    view: null,
  }));
  const shown = ({ target }) => target.offsetParent !== null;
  const configFor = (width) => (width >= 480 ? config
    : { ...config, axis: { ...axis, labelLimit: 112, labelFontSize: 10.5 } });
  async function draw(figure, visible) {
    const values = figure.spec.data.values.filter((row) => [row.c].flat().some((number) => visible.has(number)));
    const key = values.map((row) => row.c).join();
    if (key === figure.drawn) return;
    figure.drawn = key;
    figure.view?.finalize();
    figure.view = null;
    figure.target.replaceChildren();
    if (values.length === 0) return;
    const width = figure.target.clientWidth;
    const spec = fitAxes({ ...figure.spec, data: { ...figure.spec.data, values } }, values, width);
    const options = {
      actions: false, renderer: "svg", config: configFor(width), tooltip: { theme: "custom" }, logLevel: vega.Error,
    };
    const { view } = await vegaEmbed(figure.target, spec, options);
    figure.view = view;
  }
  // Only one pass runs at a time; a newer request replaces the one that waits.
  let wish = null;
  let drawing = false;
  async function drawAll(visible) {
    wish = visible;
    if (drawing) return;
    drawing = true;
    delete root.dataset.drawn;
    while (wish) {
      const current = wish;
      wish = null;
      for (const figure of figures) {
        if (wish) break;
        if (!shown(figure)) continue;
        await draw(figure, current);
        await new Promise((next) => setTimeout(next));
      }
    }
    drawing = false;
    root.dataset.drawn = String(figures.filter((figure) => shown(figure) && figure.view).length);
  }

  // --- sections: links scroll without changing the URL, which holds the filters.
  const links = all(".side nav a");
  const section = (link) => document.querySelector(link.getAttribute("href"));
  for (const link of links) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      const fold = section(link).querySelector("details.fold");
      if (fold) fold.open = true;
      section(link).scrollIntoView({ behavior: "smooth" });
    });
  }
  function markHere() {
    const passed = links.filter((link) => section(link).getBoundingClientRect().top < 140);
    const bottom = innerHeight + scrollY >= root.scrollHeight - 4;
    const here = bottom && scrollY > 0 ? links.at(-1) : passed.at(-1) ?? links[0];
    for (const link of links) link.classList.toggle("here", link === here);
  }
  addEventListener("scroll", markHere, { passive: true });

  // --- filters: values of one facet are combined by or, facets by and.
  const boxes = all("#filters input");
  function chosen() {
    const facets = new Map();
    for (const box of boxes.filter((box) => box.checked)) {
      facets.set(box.name, [...(facets.get(box.name) ?? []), box.value]);
    }
    return facets;
  }
  // --- the question: one panel and one latency chart at a time.
  const radios = all("input[name=question]");
  const question = () => radios.find((radio) => radio.checked)?.value;
  const first = question();
  const tabs = all("input[name=scheme]");
  const group = (scheme) => all("fieldset[data-scheme]").find((set) => set.dataset.scheme === scheme);
  function ask() {
    if (!radios.length) return;
    const { scheme } = radios.find((radio) => radio.checked).closest("fieldset").dataset;
    for (const tab of tabs) tab.checked = tab.value === scheme;
    for (const set of all("fieldset[data-scheme]")) set.hidden = set !== group(scheme);
    for (const part of all("[data-q]")) part.classList.toggle("other", part.dataset.q !== question());
  }
  function readAddress() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    const asked = wanted.get("question") ?? first;
    for (const radio of radios) radio.checked = radio.value === asked;
    if (radios.length && !question()) radios.find((radio) => radio.value === first).checked = true;
    ask();
    if (wanted.has("unfold")) unfold();
    // The address of a section, as in a link from elsewhere, shows it open.
    const named = links.find((link) => link.getAttribute("href") === location.hash);
    if (named) {
      const fold = section(named).querySelector("details.fold");
      if (fold) fold.open = true;
      section(named).scrollIntoView();
    }
    for (const box of boxes) box.checked = wanted.getAll(box.name).includes(box.value);
  }
  let current = null;
  function apply() {
    const facets = chosen();
    const passes = (row) => [...facets].every(([name, values]) => values.includes(row[name]));
    const visible = new Set(cases.flatMap((row, number) => (passes(row) ? [number] : [])));
    for (const row of all("tr[data-c]")) row.hidden = !row.dataset.c.split(" ").some((number) => visible.has(Number(number)));
    for (const detail of all("tr.detail")) detail.remove();
    for (const part of all("figure, .scroll:has(tr[data-c]), main > section:has(tr[data-c])")) {
      part.hidden = !part.querySelector("tr[data-c]:not([hidden])");
    }
    for (const link of links) link.hidden = section(link).hidden;
    current = visible;
    const matching = byId("matching");
    if (matching) matching.textContent = facets.size ? `${visible.size} of ${cases.length} cases` : "";
    if (byId("clear")) byId("clear").hidden = facets.size === 0;
    drawAll(visible);
  }
  function writeAddress() {
    const address = new URLSearchParams();
    if (question() !== first) address.append("question", question());
    for (const [name, values] of chosen()) for (const value of values) address.append(name, value);
    history.replaceState(null, "", `#${address}`);
  }
  byId("filters")?.addEventListener("change", () => { writeAddress(); apply(); });
  byId("filters")?.addEventListener("reset", () => setTimeout(() => { writeAddress(); apply(); }));
  document.querySelector(".switch")?.addEventListener("change", ({ target }) => {
    // A new scheme keeps the purpose where it has the same one.
    if (target.name === "scheme") {
      const purpose = radios.find((radio) => radio.checked).nextElementSibling.textContent;
      const offered = all("input", group(target.value));
      (offered.find((radio) => radio.nextElementSibling.textContent === purpose) ?? offered[0]).checked = true;
    }
    ask();
    writeAddress();
    apply();
  });
  addEventListener("hashchange", () => { readAddress(); apply(); });

  // --- tables: sorted by the number of a cell, copied as CSV.
  const valueOf = ({ cells }, column) => cells[column].dataset.v
    ?? (cells[column].classList.contains("absent") ? "" : cells[column].textContent);
  function sort(table, heading) {
    const column = heading.cellIndex;
    const descending = heading.getAttribute("aria-sort") === "ascending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
    for (const detail of all("tr.detail", table)) detail.remove();
    const numeric = heading.classList.contains("number");
    const absent = (row) => (numeric ? !row.cells[column].dataset.v : valueOf(row, column) === "");
    const order = (one, other) => {
      const [a, b] = [valueOf(one, column), valueOf(other, column)];
      return numeric ? a - b : a.localeCompare(b, "en", { numeric: true });
    };
    const rows = [...table.tBodies[0].rows];
    const present = rows.filter((row) => !absent(row)).sort(order);
    if (descending) present.reverse();
    table.tBodies[0].append(...present, ...rows.filter(absent));
  }
  function csv(table) {
    const field = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const rows = [...table.tBodies[0].rows].filter((row) => !row.hidden && !row.matches(".detail"));
    const head = [...table.tHead.rows[0].cells].map((cell) => cell.textContent);
    const lines = rows.map((row) => head.map((_, column) => valueOf(row, column)));
    return [head, ...lines].map((line) => line.map(field).join(",")).join("\n") + "\n";
  }
  function save(text, name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
  }
  function button(label, action) {
    const made = Object.assign(document.createElement("button"), { type: "button", textContent: label });
    made.addEventListener("click", () => action(made));
    return made;
  }
  for (const table of all("table.sortable")) {
    for (const heading of table.tHead.rows[0].cells) {
      heading.tabIndex = 0;
      heading.addEventListener("click", () => sort(table, heading));
      heading.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") { event.preventDefault(); sort(table, heading); }
      });
    }
    const name = table.closest(".scroll").getAttribute("aria-label").toLowerCase().replaceAll(" ", "-");
    const tools = Object.assign(document.createElement("div"), { className: "tools" });
    tools.append(
      button("Copy as CSV", async (made) => {
        await copy(csv(table));
        made.textContent = "Copied";
        setTimeout(() => { made.textContent = "Copy as CSV"; }, 1500);
      }),
      button("Save CSV", () => save(csv(table), `${name}.csv`)),
    );
    table.closest(".scroll").after(tools);
  }
  // --- folds: closed where there are scripts, drawn when they are opened, all open in print.
  const folds = all("details.data, details.fold");
  for (const fold of folds) fold.open = fold.hasAttribute("data-keep");
  for (const fold of folds) fold.addEventListener("toggle", () => { if (fold.open && current) drawAll(current); });
  function unfold() {
    for (const fold of folds) fold.open = true;
  }
  byId("unfold").addEventListener("click", () => { unfold(); scrollTo(0, 0); });
  addEventListener("beforeprint", unfold);
  if (innerWidth <= 900 && byId("filters")) byId("filters").open = false;
  byId("save").addEventListener("click", () => save(rawLines.join("\n"), "results.jsonl"));

  // --- one case: its samples in the order in which they were taken, to show drift and jumps.
  const escape = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  function time(ns) {
    const [scale, unit] = ns < 999.5 ? [1, "ns"] : ns < 999.5e3 ? [1e3, "µs"] : ns < 999.5e6 ? [1e6, "ms"] : [1e9, "s"];
    return `${(ns / scale).toPrecision(3)} ${unit}`;
  }
  function strip(samples, median) {
    const [low, high] = [Math.min(...samples), Math.max(...samples)];
    const x = (number) => 4 + (number * 592) / Math.max(1, samples.length - 1);
    const y = (ns) => (high > low ? 80 - ((ns - low) / (high - low)) * 68 : 46);
    const dots = samples.map((ns, number) => `<circle cx="${x(number)}" cy="${y(ns)}" r="2.6"/>`);
    const label = (ns, text) => `<text x="606" y="${y(ns) + 4}">${text} ${time(ns)}</text>`;
    const ends = high > low ? label(low, "min") + label(high, "max") : label(low, "all");
    return `<svg viewBox="0 0 720 92" role="img" aria-label="Samples in order">`
      + `<line x1="0" x2="600" y1="${y(median)}" y2="${y(median)}"/>${dots.join("")}${ends}</svg>`;
  }
  function detail(row) {
    const next = row.nextElementSibling;
    for (const open of all("tr.detail")) open.remove();
    if (next?.matches(".detail")) return;
    const { id, line } = cases[Number(row.dataset.c)];
    const { time_ns: times, params } = JSON.parse(rawLines[line]);
    const samples = times?.samples ?? [];
    const facts = Object.entries(params ?? {}).filter(([, value]) => value !== null)
      .map(([name, value]) => `${name} ${typeof value === "object" ? JSON.stringify(value) : value}`);
    const made = document.createElement("tr");
    made.className = "detail";
    made.innerHTML = `<td colspan="${row.cells.length}"><div class="inner"><p><code>${escape(id)}</code></p>`
      + `<p>${escape(facts.join(" · "))}</p>`
      + (samples.length > 1 ? `${strip(samples, times.median)}<p>${samples.length} samples in order; the line is the median.</p>` : "")
      + "</div></td>";
    row.after(made);
  }
  byId("results")?.addEventListener("click", (event) => {
    const row = event.target.closest("tbody tr[data-c]");
    if (row) detail(row);
  });

  readAddress();
  apply();
  markHere();
})();
