/**
 * Names for people: a move of the rules with its squares as the board calls them, `move d2 c3` for `(move 4 2 3 3)`.
 *
 * - `moveText(term, cells, scene)`: the move; `cells` are those that it touches, so that other numbers stay as they are
 * - `jointText(joint, cells, game)`: a joint move, such as "white: move d2 c3"
 * - `inOrder(joint, cells, scene)`: the touched cells in the order in which the moves name them
 * - `worthTelling(joint)`: the moves of a joint move without those that do nothing
 */
import { readable } from "./dom.js";

/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {{roles: string[], scene: Scene}} Named */

/**
 * @param {string} term
 * @param {number[]} cells
 * @param {Scene} scene
 */
export function moveText(term, cells, scene) {
  const words = split(term);
  const found = squares(words, cells, scene);
  if (found.length === 0) return readable(term);
  /** @type {string[]} */
  const told = [];
  for (let at = 0; at < words.length; at += 1) {
    const square = found.find((one) => one.at === at);
    told.push(square ? square.name : readable(words[at] ?? ""));
    if (square) at += 1;
  }
  return told.join(" ");
}

/**
 * @param {string[]} joint
 * @param {number[]} cells
 * @param {Named} game
 */
export function jointText(joint, cells, game) {
  return worthTelling(joint).map(({ role, move }) => `${readable(game.roles[role] ?? "")}: ${moveText(move, cells, game.scene)}`).join(", ");
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
