/**
 * How pieces move on the screen: `journeys(before, after, ...)` finds where each new piece came from; `glide` lets it come
 * from there, `appear` lets it grow where it is.
 */
import { isEmpty } from "./pieces.js";

/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./board.js").Position} Position */
/** @typedef {import("./geometry.js").Place} Place */

/**
 * For every cell with something new on it: where that came from, or null when it came from nowhere. Nothing glides when
 * half the board has changed.
 * @param {Position} before
 * @param {Position} after
 * @param {Scene} scene
 * @param {Map<number, Place>} places
 * @returns {Map<number, number | null> | null}
 */
export function journeys(before, after, scene, places) {
  const changed = after.cells.flatMap((content, cell) => (content === before.cells[cell] ? [] : [cell]));
  if (changed.length > 12) return null;
  const left = changed.filter((cell) => !isEmpty(before.cells[cell], scene.looks));
  /** @type {Map<number, number | null>} */
  const found = new Map();
  for (const cell of changed) {
    if (isEmpty(after.cells[cell], scene.looks)) continue;
    const index = left.findIndex((source) => source !== cell && before.cells[source] === after.cells[cell]);
    found.set(cell, index < 0 ? above(before, after, cell, places) : (left.splice(index, 1)[0] ?? null));
  }
  return found;
}

/**
 * Where a piece is dropped from: the highest of the squares that could be clicked for the move, when there are several.
 * @param {Position} before
 * @param {Position} after
 * @param {number} cell
 * @param {Map<number, Place>} places
 * @returns {number | null}
 */
function above(before, after, cell, places) {
  const moves = (after.made?.joint ?? []).map((move, role) => before.legal?.[role]?.find((one) => one.move === move));
  const column = moves.flatMap((one) => one?.steps ?? []).find((step) => step.length > 1 && step.includes(cell));
  if (!column) return null;
  const height = (/** @type {number} */ one) => places.get(one)?.y ?? Infinity;
  return column.reduce((best, one) => (height(one) < height(best) ? one : best), cell);
}

/**
 * @param {SVGGElement} shape
 * @param {number} x
 * @param {number} y
 */
export function glide(shape, x, y) {
  shape.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration: 260, easing: "cubic-bezier(.3,.8,.3,1)" });
}

/** @param {SVGGElement} shape */
export function appear(shape) {
  shape.animate([{ transform: "scale(.4)", opacity: 0 }, { transform: "none", opacity: 1 }], { duration: 200, easing: "cubic-bezier(.3,1.4,.5,1)" });
}
