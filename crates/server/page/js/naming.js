/**
 * Names for people: a move of the rules as players write it, `d2–c3` for `(move 4 2 3 3)`, and `Nf3` where it is chess.
 *
 * - `moveText(term, cells, scene, before)`: the move; `cells` are those that it touches, so that other numbers stay as
 *   they are, and `before` is what was on the squares, where that is known
 * - `jointText(joint, cells, game)`: a joint move, such as "white: move d2 c3"
 * - `inOrder(joint, cells, scene)`: the touched cells in the order in which the moves name them
 * - `worthTelling(joint)`: the moves of a joint move without those that do nothing
 */
import { readable } from "./dom.js";
import { glyphOf, isEmpty } from "./pieces.js";

/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {{roles: string[], scene: Scene}} Named */

/** Names of moves that say no more than their squares do. */
const PLAIN = new Set(["move", "mark", "place", "put", "drop", "play", "cell", "go", "step", "slide", "select", "choose", "jump", "capture", "take", "lay", "promote"]);
/** @type {Record<string, string>} */
const LETTERS = { king: "K", queen: "Q", rook: "R", bishop: "B", knight: "N", pawn: "" };

/**
 * @param {string} term
 * @param {number[]} cells
 * @param {Scene} scene
 * @param {(string | null)[]} [before]
 */
export function moveText(term, cells, scene, before) {
  const words = split(term);
  if (term === "noop") return "waits";
  if (/^castle/u.test(words[0] ?? "") && words.length === 2) return /queen|long/u.test(words[1] ?? "") ? "O-O-O" : "O-O";
  const found = squares(words, cells, scene);
  if (found.length === 0) return readable(term);
  const others = words.filter((_, at) => !found.some((one) => one.at === at || one.at + 1 === at));
  if (PLAIN.has(others[0] ?? "")) {
    const short = shortened(found, others.slice(1), scene, before);
    if (short) return short;
  }
  /** @type {string[]} */
  const parts = [];
  for (let at = 0; at < words.length; at += 1) {
    const square = found.find((one) => one.at === at);
    parts.push(square ? square.name : readable(words[at] ?? ""));
    if (square) at += 1;
  }
  return parts.join(" ");
}

/**
 * A move by its squares alone, as players write it.
 * @param {{cell: number, name: string}[]} found
 * @param {string[]} others The words that name no square.
 * @param {Scene} scene
 * @param {(string | null)[]} [before]
 */
function shortened(found, others, scene, before) {
  const [from, to, ...more] = found;
  if (!from || more.length > 0 || !found.every((one) => /^[a-z]\d+$/iu.test(one.name))) return null;
  if (!to) return [from.name, ...others.map(readable)].join(" ");
  const takes = before !== undefined && !isEmpty(before[to.cell], scene.looks);
  const moving = before?.[from.cell];
  const letter = LETTERS[glyphOf(moving, scene.looks) ?? ""];
  if (letter === undefined || !moving) return [`${from.name}${takes ? "×" : "–"}${to.name}`, ...others.map(readable)].join(" ");
  const become = others.map((word) => `=${LETTERS[word] ?? readable(word)}`).join("");
  if (letter === "") return `${takes ? `${from.name[0]}x` : from.name[0] === to.name[0] ? "" : `${from.name}–`}${to.name}${become}`;
  return `${letter}${told(from, moving, before)}${takes ? "x" : ""}${to.name}${become}`;
}

/**
 * What tells a piece from others like it: its column, or its row where they share that.
 * @param {{cell: number, name: string}} from
 * @param {string} moving
 * @param {(string | null)[]} before
 */
function told(from, moving, before) {
  const count = before.filter((content) => content === moving).length;
  return count < 2 ? "" : count === 2 ? (from.name[0] ?? "") : from.name;
}

/**
 * @param {string[]} joint
 * @param {number[]} cells
 * @param {Named} game
 * @param {(string | null)[]} [before]
 */
export function jointText(joint, cells, game, before) {
  return worthTelling(joint).map(({ role, move }) => `${readable(game.roles[role] ?? "")}: ${moveText(move, cells, game.scene, before)}`).join(", ");
}

/**
 * @param {string[]} joint
 * @param {number[]} cells
 * @param {Scene} scene
 */
export function inOrder(joint, cells, scene) {
  const named = joint.flatMap((move) => squares(split(move), cells, scene).map((one) => one.cell));
  return named.length > 0 ? named : cells;
}

/**
 * The moves of a joint move worth telling: without those that do nothing, unless all do.
 * @param {string[]} joint
 * @returns {{role: number, move: string}[]}
 */
export function worthTelling(joint) {
  const all = joint.map((move, role) => ({ role, move }));
  const some = all.filter(({ move }) => move !== "noop");
  return some.length > 0 ? some : all.slice(0, 1);
}

/** @param {string} term */
function split(term) {
  return term.replace(/^\((.*)\)$/s, "$1").trim().split(/\s+/);
}

/**
 * Where two neighbouring words are column and row, or row and column, of a cell that the move touches.
 * @param {string[]} words
 * @param {number[]} cells
 * @param {Scene} scene
 * @returns {{at: number, cell: number, name: string}[]}
 */
function squares(words, cells, scene) {
  for (const swapped of [false, true]) {
    const found = [];
    for (let at = 0; at + 1 < words.length; at += 1) {
      const square = squareAt(words[at + (swapped ? 1 : 0)] ?? "", words[at + (swapped ? 0 : 1)] ?? "", cells, scene);
      if (!square) continue;
      found.push({ at, ...square });
      at += 1;
    }
    if (found.length > 0) return found;
  }
  return [];
}

/**
 * @param {string} column
 * @param {string} row
 * @param {number[]} cells
 * @param {Scene} scene
 */
function squareAt(column, row, cells, scene) {
  for (const board of scene.boards) {
    const [across, up] = [board.columns.indexOf(column), board.rows.indexOf(row)];
    const cell = board.first + up * board.columns.length + across;
    if (across < 0 || up < 0 || !cells.includes(cell)) continue;
    const [first, second] = [board.columnLabels[across] ?? column, board.rowLabels[up] ?? row];
    return { cell, name: /^[a-z]$/i.test(first) ? first + second : `${first} ${second}` };
  }
  return null;
}
