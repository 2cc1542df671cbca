/**
 * What is wrong with a rule sheet, beside the editor: one entry a problem, with what to do about it, and a click goes there.
 */
import { element, inline, plural, replace } from "./dom.js";
import { lineStarts, placeOf } from "./editor.js";

/** @typedef {import("./editor.js").Editor} Editor */
/**
 * @typedef {object} Problem
 * @property {"error" | "warning"} severity
 * @property {string} code
 * @property {string} message
 * @property {number} line From 1.
 * @property {number} column In characters, from 1.
 * @property {number} endLine
 * @property {number} endColumn
 * @property {string | null} [label] What the marked place is.
 * @property {string | null} [help]
 * @property {string | null} [explanation] A page of text.
 * @property {{line: number, column: number, message: string}[]} [related]
 */

/**
 * The stretches of the text that problems are about; each is at least one character, where there is one.
 * @param {string} text
 * @param {Problem[]} problems
 * @returns {import("./editor.js").Mark[]}
 */
export function marksOf(text, problems) {
  const starts = lineStarts(text);
  return problems.map(({ severity, message, line, column, endLine, endColumn }) => {
    const from = placeOf(text, starts, line, column);
    const to = placeOf(text, starts, endLine ?? line, endColumn ?? column);
    return { from, to: Math.max(to, Math.min(from + 1, text.length)), severity, message };
  });
}

/**
 * How many problems there are, in words.
 * @param {Problem[]} problems
 */
export function summary(problems) {
  const errors = problems.filter((problem) => problem.severity === "error").length;
  const warnings = problems.length - errors;
  if (problems.length === 0) return "No problems found.";
  const parts = [errors > 0 ? plural(errors, "error") : "", warnings > 0 ? plural(warnings, "warning") : ""];
  return `${parts.filter((part) => part !== "").join(", ")}.`;
}

/**
 * Paragraphs of an explanation: its pages are Markdown, of which headings, code and paragraphs are shown.
 * @param {string} page
 */
function explanationOf(page) {
  const blocks = page.split(/^```\w*\n?/mu);
  return blocks.flatMap((block, index) => blockOf(block, index % 2 === 1));
}

/**
 * @param {string} block
 * @param {boolean} isCode
 * @returns {HTMLElement[]}
 */
function blockOf(block, isCode) {
  if (isCode) return [element("pre", {}, block.trimEnd())];
  const paragraphs = block.split(/\n\s*\n/u).map((paragraph) => paragraph.trim());
  return paragraphs
    .filter((paragraph) => paragraph !== "")
    .map((paragraph) => {
      const heading = /^#+\s+(.*)/u.exec(paragraph);
      const content = inline((heading?.[1] ?? paragraph).replace(/\n/gu, " "));
      return element("p", {}, ...(heading ? [element("strong", {}, ...content)] : content));
    });
}

/**
 * What the checks think was meant, and where that is to stand; null if they say nothing of that.
 * @param {string} text
 * @param {Problem} problem
 * @returns {{from: number, to: number, meant: string} | null}
 */
export function fix(text, problem) {
  const meant = /did you mean `([^`]+)`/u.exec(problem.help ?? "")?.[1];
  if (meant === undefined) return null;
  const starts = lineStarts(text);
  const from = placeOf(text, starts, problem.line, problem.column);
  const to = placeOf(text, starts, problem.endLine ?? problem.line, problem.endColumn ?? problem.column);
  const marked = text.slice(from, to);
  const named = [...problem.message.matchAll(/`([^`]+)`/gu)].map((found) => found[1] ?? "");
  for (const name of named) {
    const place = new RegExp(`(?<![^\\s()])${name.replace(/[.*+?^${}()|[\]\\]/gu, "\\$&")}(?![^\\s()])`, "u").exec(marked);
    if (place) return { from: from + place.index, to: from + place.index + name.length, meant };
  }
  return null;
}

/**
 * A button that mends a slip.
 * @param {Problem} problem
 * @param {Editor} editor
 */
function fixOf(problem, editor) {
  const found = fix(editor.text(), problem);
  if (!found) return [];
  return [" ", element("button", { type: "button", class: "button quiet fix", onclick: () => {
    const now = fix(editor.text(), problem);
    if (now) editor.put(now.from, now.to, now.meant);
  } }, `Change to ${found.meant}`)];
}

/**
 * @param {Problem} problem
 * @param {Editor} editor
 */
function entry(problem, editor) {
  const goTo = (/** @type {number} */ line, /** @type {number} */ column, /** @type {Problem | null} */ whole) => {
    const text = editor.text();
    const starts = lineStarts(text);
    const from = placeOf(text, starts, line, column);
    const to = whole ? placeOf(text, starts, whole.endLine ?? line, whole.endColumn ?? column) : from;
    editor.select(from, Math.max(from, to));
  };
  const related = (problem.related ?? []).map((place) =>
    element("li", {}, element("button", { type: "button", class: "plain link", onclick: () => goTo(place.line, place.column, null) }, `line ${place.line}`), " ", ...inline(place.message)));
  return element(
    "li",
    { class: `problem-entry ${problem.severity}` },
    element(
      "button",
      { type: "button", class: "plain problem-place", onclick: () => goTo(problem.line, problem.column, problem) },
      element("span", { class: "problem-severity" }, problem.severity),
      element("span", { class: "problem-line" }, `line ${problem.line}`),
      element("span", { class: "problem-message" }, ...inline(problem.message)),
    ),
    problem.label ? element("p", { class: "problem-label" }, ...inline(problem.label)) : null,
    problem.help ? element("p", { class: "problem-help" }, element("strong", {}, "Help: "), ...inline(problem.help), ...fixOf(problem, editor)) : null,
    related.length > 0 ? element("ul", { class: "problem-related" }, ...related) : null,
    problem.explanation
      ? element("details", {}, element("summary", {}, `What does ${problem.code} mean?`), ...explanationOf(problem.explanation))
      : null,
  );
}

/**
 * Shows problems in a place of the page.
 * @param {HTMLElement} place
 * @param {Problem[]} problems
 * @param {Editor} editor
 */
export function showProblems(place, problems, editor) {
  const ordered = [...problems].sort((one, other) => one.line - other.line || one.column - other.column);
  replace(place, ordered.length > 0 ? element("ol", { class: "problem-list" }, ...ordered.map((problem) => entry(problem, editor))) : null);
}
