/**
 * Draws what is on a square: `piece(content, looks)` is a group around 0,0 for a square of 100 units, or null when
 * nothing is to be drawn. Shapes and the usual glyphs of chess and draughts have drawings of their own, so that they
 * look alike on every machine; other glyphs and texts are set as text.
 */
import { drawing, readable } from "./dom.js";

/** @typedef {import("./types.js").Look} Look */

/** Names of glyphs that have drawings. @type {Record<string, string>} */
const GLYPHS = {
  "●": "disc", "⚫": "disc", "⚪": "disc", "○": "ring", "◯": "ring", "✕": "cross", "✖": "cross", "×": "cross", "■": "square",
  "□": "frame", "▲": "triangle", "◆": "diamond", "⬢": "hexagon", "★": "star", "·": "dot", "─": "bar-h", "━": "wall-h",
  "│": "bar-v", "┃": "wall-v", "▒": "wall", "⛀": "man", "⛂": "man", "⛁": "crowned", "⛃": "crowned",
  "♔": "king", "♚": "king", "♕": "queen", "♛": "queen", "♖": "rook", "♜": "rook", "♗": "bishop", "♝": "bishop",
  "♘": "knight", "♞": "knight", "♙": "pawn", "♟": "pawn",
};

/** Softer tones for the loud colours. @type {Record<string, string>} */
const TONES = {
  white: "#fdf8ee", black: "#35302c", red: "#cc3d35", crimson: "#c2334a", green: "#3f8f54", blue: "#3a6cc2",
  royalblue: "#3d68c4", yellow: "#efbf3a", goldenrod: "#e0a526", orange: "#e07f2c", purple: "#8250b0", pink: "#e88aa6",
  brown: "#8a5a3a", grey: "#8d857c", gray: "#8d857c", silver: "#c9c3ba", cyan: "#35a6b5", magenta: "#bf4a9a",
};

const DARK = new Set(["black", "navy", "darkblue", "darkslategray", "midnightblue", "darkgreen", "maroon", "indigo"]);

/** A colour by its name, as softly as pieces have it. @param {string} colour */
export function toneOf(colour) {
  return TONES[colour] ?? colour;
}

/** The parts of a drawing: path data filled with the piece's colour, and path data drawn upon it. @type {Record<string, {body?: string, line?: string}>} */
const SHAPES = {
  disc: { body: circle(0, 0, 38), line: circle(0, 0, 28) },
  man: { body: circle(0, 0, 38), line: circle(0, 0, 29) + circle(0, 0, 16) },
  crowned: { body: circle(0, 0, 38), line: `${circle(0, 0, 30)}M-17 11V-12L-8 0L0 -16L8 0L17 -12V11z` },
  dot: { body: circle(0, 0, 10) },
  square: { body: "M-30 -36h60a6 6 0 0 1 6 6v60a6 6 0 0 1 -6 6h-60a6 6 0 0 1 -6 -6v-60a6 6 0 0 1 6 -6z" },
  triangle: { body: "M0 -36L36 28H-36z" },
  diamond: { body: "M0 -40L32 0L0 40L-32 0z" },
  hexagon: { body: "M0 -38L33 -19V19L0 38L-33 19V-19z" },
  star: { body: "M0 -40L11 -13L39 -12L17 5L25 33L0 17L-25 33L-17 5L-39 -12L-11 -13z" },
  "bar-h": { body: "M-50 -5h100v10h-100z" },
  "bar-v": { body: "M-5 -50h10v100h-10z" },
  "wall-h": { body: "M-50 -10h100v20h-100z" },
  "wall-v": { body: "M-10 -50h20v100h-20z" },
  wall: { body: "M-47 -47h94v94h-94z", line: "M-47 -16h94M-47 16h94M-16 -47v31M20 -16v32M-16 16v31" },
  pawn: { body: `${circle(0, -15, 12)}M-8 -5C-8 8 -16 14 -18 24H18C16 14 8 8 8 -5z${base()}` },
  rook: { body: `M-20 -31H-11V-24H-4V-31H4V-24H11V-31H20V-15L14 -9V14L19 24H-19L-14 14V-9L-20 -15z${base()}` },
  bishop: { body: `${circle(0, -34, 4.5)}M0 -30C15 -19 18 -4 9 6L14 24H-14L-9 6C-18 -4 -15 -19 0 -30z${base()}`, line: "M4 -19L-4 -6" },
  knight: { body: `M-17 24C-17 7 -3 3 -1 -6C-6 -3 -11 2 -16 4C-22 6 -27 0 -25 -5C-21 -12 -15 -16 -12 -24L-13 -35L-3 -29C12 -28 21 -14 21 6V24z${base()}`, line: "M-9 -18h1M6 -20C12 -13 14 -4 13 8" },
  queen: { body: `M-25 -19L-13 0L-9 -25L0 -4L9 -25L13 0L25 -19L17 24H-17z${circle(-25, -22, 4)}${circle(-9, -29, 4)}${circle(9, -29, 4)}${circle(25, -22, 4)}${base()}`, line: "M-16 13C-6 9 6 9 16 13" },
  king: { body: `M-2.5 -42h5v6h6v5h-6v8h-5v-8h-6v-5h6zM0 -19C8 -27 26 -22 24 -6C22 5 15 9 15 24H-15C-15 9 -22 5 -24 -6C-26 -22 -8 -27 0 -19z${base()}`, line: "M0 -17V6M-14 13C-5 9 5 9 14 13" },
};

/**
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 */
function circle(x, y, radius) {
  return `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0z`;
}

function base() {
  return "M-20 24h40a5 5 0 0 1 5 5v3a4 4 0 0 1 -4 4h-42a4 4 0 0 1 -4 -4v-3a5 5 0 0 1 5 -5z";
}

/**
 * Whether a content is nothing to see.
 * @param {string | null | undefined} content
 * @param {Record<string, Look>} looks
 */
export function isEmpty(content, looks) {
  return content === null || content === undefined || content === "" || lookOf(content, looks)?.shape === "empty";
}

/**
 * The name of the piece of chess that a content is shown as.
 * @param {string | null | undefined} content
 * @param {Record<string, Look>} looks
 */
export function glyphOf(content, looks) {
  const glyph = content ? lookOf(content, looks)?.glyph : undefined;
  return glyph ? GLYPHS[glyph.replace("\uFE0E", "")] : undefined;
}

/**
 * A look by its name, never something every object has.
 * @param {string} content
 * @param {Record<string, Look>} looks
 * @returns {Look | undefined}
 */
function lookOf(content, looks) {
  return Object.hasOwn(looks, content) ? looks[content] : undefined;
}

/**
 * @param {string | null | undefined} content
 * @param {Record<string, Look>} looks
 * @returns {SVGGElement | null}
 */
export function piece(content, looks) {
  if (content === null || content === undefined || isEmpty(content, looks)) return null;
  const look = lookOf(content, looks);
  if (look) return single(look, content);
  const parts = content.split(" ");
  if (parts.length > 1 && parts.length <= 4 && parts.some((part) => lookOf(part, looks))) return several(parts, looks);
  return single({ text: readable(content) }, content);
}

/**
 * A content as a small picture for a button.
 * @param {string} content
 * @param {Record<string, Look>} looks
 */
export function pictureOf(content, looks) {
  const shape = piece(content, looks);
  return shape && drawing("svg", { class: "pieces choice-piece", viewBox: "-50 -50 100 100", "aria-hidden": "true" }, shape);
}

/**
 * @param {string[]} parts
 * @param {Record<string, Look>} looks
 */
function several(parts, looks) {
  const seen = parts.flatMap((part) => piece(part, looks) ?? []);
  if (seen.length === 1) return seen[0] ?? null;
  const group = drawing("g", { class: "several" });
  seen.forEach((one, index) => {
    const x = index % 2 === 0 ? -22 : 22;
    const y = seen.length > 2 ? (index < 2 ? -22 : 22) : 0;
    group.append(drawing("g", { transform: `translate(${x} ${y}) scale(0.55)` }, one));
  });
  return group;
}

/**
 * @param {Look} look
 * @param {string} content
 */
function single(look, content) {
  const name = look.shape ?? (look.glyph ? GLYPHS[look.glyph.replace("\uFE0E", "")] : undefined);
  const group = drawing("g", { class: "piece" });
  if (look.colour) {
    group.style.setProperty("--piece", toneOf(look.colour));
    group.classList.add(DARK.has(look.colour) ? "dark" : "toned");
  }
  const shape = name ? SHAPES[name] : undefined;
  if (shape) {
    group.classList.add(`shape-${name}`);
    if (shape.body) group.append(drawing("path", { class: "body", d: shape.body }));
    if (shape.line) group.append(drawing("path", { class: "line", d: shape.line }));
  } else if (name === "ring") group.append(drawing("circle", { class: "stroke", r: 28 }));
  else if (name === "frame") group.append(drawing("rect", { class: "stroke", x: -30, y: -30, width: 60, height: 60, rx: 6 }));
  else if (name === "cross") group.append(drawing("path", { class: "stroke", d: "M-26 -26L26 26M26 -26L-26 26" }));
  else {
    const text = look.glyph ?? look.text ?? readable(content);
    if (/^\d{1,3}$/.test(text)) group.append(drawing("rect", { class: "plate", x: -39, y: -39, width: 78, height: 78, rx: 12 }));
    group.append(...words(text));
  }
  if (look.badge) {
    group.append(drawing("g", { class: "piece-badge", transform: "translate(24 26)" }, drawing("circle", { r: 17 }),
      drawing("text", { "font-size": look.badge.length > 1 ? 14 : 22 }, look.badge)));
  }
  return group;
}

/**
 * A text in one to three lines, as large as fits.
 * @param {string} text
 */
function words(text) {
  const lines = broken(text);
  const longest = Math.max(...lines.map((line) => [...line].length));
  const size = Math.min(52, 140 / Math.max(1, longest), 78 / lines.length);
  return lines.map((line, index) =>
    drawing("text", {
      class: "words", "font-size": size.toFixed(1), y: ((index - (lines.length - 1) / 2) * size * 1.1).toFixed(1),
    }, line));
}

/** @param {string} text */
function broken(text) {
  if (text.length <= 7) return [text];
  /** @type {string[]} */
  const lines = [];
  for (const word of text.replaceAll(/[()]/g, " ").trim().split(/\s+/)) {
    const last = lines[lines.length - 1];
    if (last !== undefined && last.length + word.length < 8) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.length > 3 ? [...lines.slice(0, 2), "…"] : lines;
}
