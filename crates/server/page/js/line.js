/**
 * Draws a line of play over a board: an arrow and a ghost of the piece for a move between two squares; for a move on one
 * square a ghost of what its role puts there, or a ring where that is not known. Later moves are fainter.
 */
import { drawing } from "./dom.js";
import { inOrder } from "./naming.js";
import { piece } from "./pieces.js";

/** @typedef {import("./types.js").LineMove} LineMove */
/** @typedef {import("./geometry.js").Place} Place */

const MOST = 6;

/**
 * @param {LineMove[]} line
 * @param {(string | null)[]} cells What is on the board before the line.
 * @param {Map<number, string>} placed What each role puts on the board, where that is known.
 * @param {import("./types.js").Scene} scene
 * @param {Map<number, Place>} places
 * @param {(cell: number) => SVGGElement | null} layer Where to draw what belongs to a cell's board.
 */
export function drawLine(line, cells, placed, scene, places, layer) {
  const now = [...cells];
  /** @type {[SVGGElement | null, SVGGElement][]} */
  const drawn = [];
  line.slice(0, MOST).forEach((move, index) => {
    const touched = inOrder(move.joint, move.cells, scene).flatMap((cell) => places.get(cell) ?? []);
    const [from, to] = [touched[0], touched[touched.length - 1]];
    if (!from || !to) return;
    const strength = (1 - index / (MOST + 2)).toFixed(2);
    const group = drawing("g", { class: index === 0 ? "ghost first" : "ghost", opacity: strength });
    if (from !== to && layer(from.cell) === layer(to.cell)) {
      const ghost = piece(now[from.cell], scene.looks);
      if (ghost) group.append(drawing("g", { class: "ghost-piece", transform: `translate(${to.x} ${to.y}) scale(0.8)` }, ghost));
      group.append(arrow(from, to));
      now[to.cell] = now[from.cell] ?? null;
      now[from.cell] = null;
    } else {
      const role = move.joint.findIndex((made) => made !== "noop");
      const ghost = piece(placed.get(role), scene.looks);
      if (ghost) group.append(drawing("g", { class: "ghost-piece", transform: `translate(${to.x} ${to.y})` }, ghost));
      else group.append(drawing("circle", { class: "ghost-ring", cx: to.x, cy: to.y, r: 30 }));
    }
    group.append(badge(to, index + 1));
    drawn.push([layer(to.cell), group]);
  });
  // The next move is what matters most: it lies on top.
  for (const [place, group] of drawn.reverse()) place?.append(group);
}

/**
 * @param {Place} from
 * @param {Place} to
 */
function arrow(from, to) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const [startX, startY] = [from.x + ux * 18, from.y + uy * 18];
  const [endX, endY] = [to.x - ux * 14, to.y - uy * 14];
  const [neckX, neckY] = [endX - ux * 24, endY - uy * 24];
  const head = `M${endX} ${endY}L${neckX - uy * 15} ${neckY + ux * 15}L${neckX + uy * 15} ${neckY - ux * 15}z`;
  return drawing("g", { class: "arrow" },
    drawing("path", { class: "shaft", d: `M${startX} ${startY}L${neckX} ${neckY}` }),
    drawing("path", { class: "head", d: head }));
}

/**
 * @param {Place} at
 * @param {number} count
 */
function badge(at, count) {
  return drawing("g", { class: "badge", transform: `translate(${at.x + 30} ${at.y - 30})` },
    drawing("circle", { r: 15 }), drawing("text", {}, count));
}
