/**
 * The editor of rule sheets: a plain text area, whose own undo, selection and input methods stay what they are, above a layer
 * of the same letters in colours. Only the lines in view are painted, so that sheets of thousands of lines stay quick.
 */

import { element } from "./dom.js";
import { depthAt, notationOf, parenthesesAt, tokens } from "./highlight.js";

/** @typedef {import("./highlight.js").Token} Token */
/**
 * A stretch of the text that is wrong.
 * @typedef {{from: number, to: number, severity: string, message: string}} Mark
 */
/**
 * @typedef {object} Editor
 * @property {HTMLElement} element
 * @property {HTMLTextAreaElement} area
 * @property {() => string} text
 * @property {(text: string) => void} open  Shows another text, with nothing to undo.
 * @property {(text: string) => void} replace  Puts another text there, in a way that the area's undo takes back.
 * @property {(from: number, to: number, text: string) => void} put  Puts a text in place of a stretch; the area's undo takes it back.
 * @property {(marks: Mark[]) => void} mark  Says what is wrong, and where.
 * @property {(from: number, to: number) => void} select  Goes to a stretch of the text, and selects it.
 */

/** Lines painted above and below what is in view, so that scrolling does not show the bare text first. */
const MARGIN = 12;
const INDENT = "    ";

/**
 * Where each line begins.
 * @param {string} text
 */
export function lineStarts(text) {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/**
 * The line that holds a place of the text, counted from 0.
 * @param {number[]} starts
 * @param {number} place
 */
export function lineOf(starts, place) {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle] <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * The place of the text that a line and a column in characters mean, both counted from 1. Places beyond the end are its end.
 * @param {string} text
 * @param {number[]} starts
 * @param {number} line
 * @param {number} column
 */
export function placeOf(text, starts, line, column) {
  const index = Math.min(Math.max(line, 1), starts.length) - 1;
  const start = starts[index];
  const end = index + 1 < starts.length ? starts[index + 1] - 1 : text.length;
  // A character beyond the basic plane is one column, and two units of the string.
  const units = [...text.slice(start, end)].slice(0, Math.max(column, 1) - 1).join("").length;
  return start + units;
}

/**
 * The pieces into which a line falls: each with the classes of the token and the marks it lies in.
 * @param {number} from
 * @param {number} to
 * @param {{from: number, to: number, kind: string}[]} stretches
 * @returns {{from: number, to: number, classes: string}[]}
 */
export function pieces(from, to, stretches) {
  const here = stretches.filter((stretch) => stretch.from < to && stretch.to > from);
  const borders = new Set([from, to]);
  for (const stretch of here) {
    borders.add(Math.max(from, stretch.from));
    borders.add(Math.min(to, stretch.to));
  }
  const ordered = [...borders].sort((one, other) => one - other);
  return ordered.slice(1).map((end, index) => {
    const start = ordered[index];
    const kinds = here.filter((stretch) => stretch.from < end && stretch.to > start).map((stretch) => `t-${stretch.kind}`);
    return { from: start, to: end, classes: kinds.join(" ") };
  });
}

/** The text with its layer and its line numbers. */
class Painter {
  /**
   * @param {HTMLTextAreaElement} area
   * @param {HTMLElement} sheet
   * @param {HTMLElement} gutter
   */
  constructor(area, sheet, gutter) {
    this.area = area;
    this.sheet = sheet;
    this.gutter = gutter;
    /** @type {Mark[]} */
    this.marks = [];
    this.asked = false;
    this.text = "";
    this.starts = [0];
    /** @type {Token[]} */
    this.tokens = [];
  }

  /** Reads the text anew. */
  read() {
    this.text = this.area.value;
    this.starts = lineStarts(this.text);
    this.tokens = tokens(this.text, notationOf(this.text));
  }

  /** Paints before the next picture of the screen, however often it is asked. */
  ask() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      this.paint();
    });
  }

  paint() {
    const { area } = this;
    if (area.value !== this.text) this.read();
    const height = Number.parseFloat(getComputedStyle(area).lineHeight) || 20;
    const first = Math.max(0, Math.floor(area.scrollTop / height) - MARGIN);
    const last = Math.min(this.starts.length, Math.ceil((area.scrollTop + area.clientHeight) / height) + MARGIN);
    const top = first * height - area.scrollTop;
    this.sheet.style.transform = `translate(${-area.scrollLeft}px, ${top}px)`;
    this.gutter.style.transform = `translateY(${top}px)`;
    const stretches = this.stretches(first, last);
    const lines = Array.from({ length: last - first }, (_, index) => first + index);
    this.sheet.replaceChildren(...lines.map((line) => this.line(line, stretches)));
    this.gutter.replaceChildren(...lines.map((line) => this.number(line)));
  }

  /** @param {number} line */
  ends(line) {
    return line + 1 < this.starts.length ? this.starts[line + 1] - 1 : this.text.length;
  }

  /**
   * What is to be painted on some lines.
   * @param {number} first
   * @param {number} last
   * @returns {{from: number, to: number, kind: string}[]}
   */
  stretches(first, last) {
    const from = this.starts[first];
    const to = this.ends(last - 1);
    /** @type {{from: number, to: number, kind: string}[]} */
    const found = this.tokens.filter((token) => token.from < to && token.to > from);
    for (const mark of this.marks) found.push({ from: mark.from, to: mark.to, kind: mark.severity });
    const cursor = this.area.selectionStart;
    const pair = cursor === this.area.selectionEnd ? parenthesesAt(this.tokens, cursor) : null;
    for (const place of pair ? [pair.at, pair.other] : []) {
      if (place !== null) found.push({ from: place, to: place + 1, kind: pair?.other === null ? "alone" : "pair" });
    }
    return found;
  }

  /**
   * @param {number} line
   * @param {{from: number, to: number, kind: string}[]} stretches
   */
  line(line, stretches) {
    const from = this.starts[line];
    const to = this.ends(line);
    const parts = pieces(from, to, stretches).map((piece) => {
      const text = this.text.slice(piece.from, piece.to);
      return piece.classes === "" ? document.createTextNode(text) : element("span", { class: piece.classes }, text);
    });
    // What is wrong at the very end of a line has no letter to stand under.
    const behind = this.marks.find((mark) => mark.from >= to && lineOf(this.starts, mark.from) === line);
    if (behind) parts.push(element("span", { class: `t-${behind.severity}` }, " "));
    return element("div", { class: "editor-line" }, ...parts, "\u200b");
  }

  /** @param {number} line */
  number(line) {
    const here = this.marks.filter((mark) => lineOf(this.starts, mark.from) === line);
    const worst = here.some((mark) => mark.severity === "error") ? "error" : here.length > 0 ? "warning" : "";
    const title = here.map((mark) => mark.message).join("\n");
    return element("div", { class: `editor-number ${worst}`, title, "data-line": String(line + 1) }, String(line + 1));
  }
}

/**
 * Puts text in place of the selection so that the area's own undo knows of it.
 * @param {HTMLTextAreaElement} area
 * @param {string} text
 */
function type(area, text) {
  area.focus();
  // Deprecated, and still the only way that every browser's undo knows of.
  if (document.execCommand("insertText", false, text)) return;
  area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
  area.dispatchEvent(new Event("input", { bubbles: true }));
}

/**
 * @param {{label: string, onInput: () => void}} options
 * @returns {Editor}
 */
export function makeEditor({ label, onInput }) {
  const area = element("textarea", {
    class: "editor-area",
    "aria-label": label,
    spellcheck: false,
    autocapitalize: "off",
    autocomplete: "off",
    wrap: "off",
  });
  const sheet = element("div", { class: "editor-sheet" });
  const numbers = element("div", { class: "editor-numbers" });
  const whole = element(
    "div",
    { class: "editor" },
    element("div", { class: "editor-gutter", "aria-hidden": "true" }, numbers),
    element("div", { class: "editor-body" }, element("div", { class: "editor-paint", "aria-hidden": "true" }, sheet), area),
  );
  const painter = new Painter(area, sheet, numbers);
  area.addEventListener("input", () => {
    painter.ask();
    onInput();
  });
  for (const event of ["scroll", "keyup", "click", "focus", "blur", "select"]) area.addEventListener(event, () => painter.ask());
  new ResizeObserver(() => painter.ask()).observe(area);
  area.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (depthAt(tokens(area.value), area.selectionStart) === 0) return;
    event.preventDefault();
    type(area, `\n${INDENT}`);
  });
  return {
    element: whole,
    area,
    text: () => area.value,
    open: (text) => {
      area.value = text;
      area.setSelectionRange(0, 0);
      area.scrollTo(0, 0);
      painter.ask();
    },
    replace: (text) => {
      area.focus();
      area.select();
      type(area, text);
      area.setSelectionRange(0, 0);
      area.scrollTo(0, 0);
      painter.ask();
    },
    put: (from, to, text) => {
      area.focus();
      area.setSelectionRange(from, to);
      type(area, text);
      painter.ask();
    },
    mark: (marks) => {
      painter.marks = marks;
      painter.ask();
    },
    select: (from, to) => {
      whole.scrollIntoView({ block: "nearest" });
      area.focus({ preventScroll: true });
      area.setSelectionRange(from, to);
      const height = Number.parseFloat(getComputedStyle(area).lineHeight) || 20;
      const line = lineOf(lineStarts(area.value), from);
      area.scrollTop = Math.max(0, line * height - area.clientHeight / 3);
      painter.ask();
    },
  };
}
