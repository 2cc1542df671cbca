/**
 * The rules of a video game as text, with what is wrong with them, and its level to paint, beside the running game.
 */
import { post } from "./api.js";
import { button, element, message, replace } from "./dom.js";

/** @typedef {import("./video-draw.js").Opened} Opened */
/** @typedef {import("./video.js").Card} Card */

/** How long after the last key the rules are looked at. */
const PATIENCE = 400;

/**
 * Takes a text apart: the rules, and the rows of each level.
 * @param {string} text
 * @returns {{rules: string, levels: string[][]}}
 */
export function takeApart(text) {
  const [rules = "", ...levels] = text.split(/^Level[ \t]*\r?\n/mu);
  return { rules, levels: levels.map((rows) => rows.replace(/\n$/u, "").split("\n")) };
}

/**
 * Puts it together again.
 * @param {{rules: string, levels: string[][]}} parts
 */
export function putTogether({ rules, levels }) {
  return rules + levels.map((rows) => `Level\n${rows.join("\n")}\n`).join("");
}

/**
 * The editor. `open` is called with a text that may be playable and the number of a level.
 * @param {Card} card
 * @param {AbortSignal} signal
 * @param {(text: string, level: number) => Promise<Opened>} open
 */
export function editor(card, signal, open) {
  const parts = takeApart(card.text);
  let level = 0;
  let brush = "w";
  let timer = 0;
  const rules = element("textarea", { class: "video-rules", spellcheck: false, value: parts.rules, "aria-label": "Rules" });
  const problems = element("ul", { class: "video-problems", "aria-live": "polite" });
  const palette = element("div", { class: "video-palette", role: "group", "aria-label": "What to paint" });
  const grid = element("pre", { class: "video-painter", tabIndex: 0, "aria-label": "Level" });
  const number = element("select", { "aria-label": "Level to paint", onchange: () => { level = Number(number.value); paint(); run(); } },
    ...parts.levels.map((_, place) => element("option", { value: String(place) }, `Level ${place}`)));

  function text() {
    return putTogether({ rules: rules.value, levels: parts.levels });
  }
  async function run() {
    try {
      const checked = await post("/api/check", { text: text() }, signal);
      replace(problems, ...checked.problems.map((/** @type {{line: number, message: string, help: string, severity: string}} */ one) =>
        element("li", { class: one.severity }, `Line ${one.line}: ${one.message}. ${one.help}`)));
      if (!checked.ok) return;
      const game = await open(text(), level);
      colours(game);
    } catch (problem) {
      if (!signal.aborted) replace(problems, element("li", { class: "error" }, message(problem)));
    }
  }
  function later() {
    clearTimeout(timer);
    timer = setTimeout(() => void run(), PATIENCE);
  }
  /** @param {Opened} game */
  function colours(game) {
    /** @type {[string, string[]][]} */
    const all = [[" ", ["nothing"]], ...game.characters];
    replace(palette, ...all.map(([key, kinds]) =>
      button(key === " " ? "␣" : key, () => { brush = key; colours(game); },
        { title: kinds.join(", "), "aria-pressed": String(key === brush) })));
  }
  function paint() {
    const rows = parts.levels[level] ?? [];
    replace(grid, ...rows.flatMap((row, y) => [
      ...[...row].map((key, x) => element("span", { data: { x, y } }, key)), "\n"]));
  }
  /** @param {Event} event */
  function dab(event) {
    const cell = event.target;
    if (!(cell instanceof HTMLElement) || cell.dataset.x === undefined) return;
    if (event instanceof PointerEvent && event.type === "pointerover" && event.buttons !== 1) return;
    const [x, y] = [Number(cell.dataset.x), Number(cell.dataset.y)];
    const rows = parts.levels[level];
    const row = rows?.[y];
    if (!rows || row === undefined) return;
    rows[y] = row.slice(0, x) + brush + row.slice(x + 1);
    cell.textContent = brush;
    later();
  }
  rules.addEventListener("input", later);
  grid.addEventListener("pointerdown", dab);
  grid.addEventListener("pointerover", dab);
  const details = element("details", { class: "video-write panel", ontoggle: () => { if (details.open) { paint(); void run(); } } },
    element("summary", {}, "Change the rules and paint the level"),
    element("div", { class: "video-columns" },
      element("div", {}, rules, problems),
      element("div", {}, number, palette, grid)));
  return details;
}
