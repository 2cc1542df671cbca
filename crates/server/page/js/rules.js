/**
 * The rules of a game: what its author says, what the sheet says in plain words, and the sheet itself with its lines.
 * `?lines=4-7` in the address marks lines.
 */
import { get } from "./api.js";
import { element, inline, message, replace } from "./dom.js";
import { notationOf, tokens } from "./highlight.js";

/** @type {import("./types.js").Page} */
export async function show(root, { params, query, signal }) {
  const path = `/api/games/${encodeURIComponent(params["id"] ?? "")}`;
  const [game, words] = await Promise.all([get(path, signal), get(`${path}/words`, signal).catch((problem) => ({ problem }))]);
  if (signal.aborted) return;
  document.title = `Rules of ${game.title} · Paidia`;
  const sheet = element("ol", { class: "sheet-lines", "aria-label": "Rule sheet", tabIndex: 0 });
  const text = String(game.text ?? "");
  sheet.append(...text.split("\n").map((line, index) => element("li", { id: `line-${index + 1}` }, ...coloured(line, notationOf(text)))));
  const mark = (/** @type {number} */ first, /** @type {number} */ last) => {
    for (const line of sheet.querySelectorAll(".marked")) line.classList.remove("marked");
    for (let line = first; line <= last; line += 1) sheet.children[line - 1]?.classList.add("marked");
    sheet.children[first - 1]?.scrollIntoView({ block: "center" });
  };
  replace(root,
    element("p", { class: "crumbs" }, element("a", { href: "/" }, "All games"), " › ",
      element("a", { href: `/games/${encodeURIComponent(game.id)}` }, game.title)),
    element("h1", {}, `Rules of ${game.title}`),
    element("div", { class: "rules-page" },
      element("section", { "aria-label": "In words" },
        game.rules ? element("p", { class: "rules" }, game.rules) : null,
        element("h2", {}, "What the sheet says"),
        ...(words.sections ?? []).map((/** @type {any} */ section) => sectionOf(section, mark)),
        words.problem ? element("p", { class: "muted" }, message(words.problem)) : null),
      element("section", { "aria-label": "Sheet" }, element("h2", {}, "The sheet"), sheet)));
  const found = /^(\d+)-(\d+)$/u.exec(query.get("lines") ?? "");
  if (found) mark(Number(found[1]), Number(found[2]));
}

/**
 * A line of the sheet with its colours.
 * @param {string} line
 * @param {import("./highlight.js").Notation} notation
 */
function coloured(line, notation) {
  /** @type {(string | Node)[]} */
  const parts = [];
  let done = 0;
  for (const { from, to, kind } of tokens(line, notation)) {
    parts.push(line.slice(done, from), element("span", { class: `t-${kind}` }, line.slice(from, to)));
    done = to;
  }
  return line === "" ? ["\u200b"] : [...parts, line.slice(done)];
}

/**
 * @param {{title: string, lines: {text: string, line: number | null, end: number | null}[]}} section
 * @param {(first: number, last: number) => void} mark
 */
function sectionOf({ title, lines }, mark) {
  return element("section", {}, element("h3", {}, title), element("ul", { class: "words" }, ...lines.map(({ text, line, end }) =>
    element("li", {}, ...inline(text), " ", line === null ? null :
      element("button", { type: "button", class: "plain link why-line", onclick: () => mark(line, end ?? line) }, `line ${line}`)))));
}
