/**
 * Where the cells of a board are drawn: `layout(board, present)` gives for every cell its middle and outline, the
 * lines between points, the labels at the edges, and the size of it all. A square is 100 units wide.
 */

import { readable } from "./dom.js";

/** @typedef {import("./types.js").Board} Board */
/**
 * @typedef {object} Place One cell.
 * @property {number} cell
 * @property {number} column
 * @property {number} row
 * @property {number} x Its middle.
 * @property {number} y
 * @property {string} outline Path data.
 * @property {boolean} dark Whether it is a dark square of a checkered board.
 *
 * @typedef {object} Layout
 * @property {{x: number, y: number, width: number, height: number}} box
 * @property {Place[]} places Those present, from the bottom row up.
 * @property {{x: number, y: number, text: string}[]} labels
 * @property {string} lines Path data of lines between points.
 * @property {string[]} bare Outlines of the squares that a checkered board shows though nothing is ever on them.
 * @property {{x: number, y: number}[]} dots Lone holes between squares, as the dots of dots and boxes are.
 * @property {{colour: string, path: string}[]} edges The sides of the board in the colours of their owners.
 * @property {string} blocks Path data of the lines between blocks of squares.
 * @property {number} room How large a piece may be, 1 for a whole square.
 */

/** The most letters of a label. */
const LONGEST_LABEL = 9;
const HEX = 100 / Math.sqrt(3);
const TALL = 50 * Math.sqrt(3);

/**
 * @param {Board} board
 * @param {(cell: number) => boolean} present Whether a cell is part of the board.
 * @param {boolean} labelled
 * @returns {Layout}
 */
export function layout(board, present, labelled) {
  /** @type {Place[]} */
  const places = [];
  /** @type {string[]} */
  const bare = [];
  for (let row = 0; row < board.rows.length; row += 1) {
    for (let column = 0; column < board.columns.length; column += 1) {
      const cell = board.first + row * board.columns.length + column;
      if (present(cell)) places.push(place(board, cell, column, row));
      else if (board.checkered) bare.push(place(board, cell, column, row).outline);
    }
  }
  const full = places.length === board.columns.length * board.rows.length;
  const labels = labelled && (full || board.shape !== "hex") ? edgeLabels(board) : [];
  const dots = board.shape === "square" && !board.checkered ? loneHoles(board, present) : [];
  const lines = board.shape === "points" ? pointLines(board, present) : "";
  return { box: bounds(board, places, labels.length > 0), places, labels, lines, bare, dots, edges: edges(board), blocks: blockLines(board), room: ROOM[board.shape] ?? 1 };
}

/**
 * The sides of a board of hexagons or squares, a line along the outer corners of its cells.
 * @param {Board} board
 */
function edges(board) {
  if (!board.edges || (board.shape !== "hex" && board.shape !== "square")) return [];
  const [columns, rows] = [board.columns.length, board.rows.length];
  const [left, right, bottom, top] = board.edges;
  const side = (/** @type {number} */ count, /** @type {(at: number) => [number, number]} */ cell, /** @type {number[]} */ corners) =>
    Array.from({ length: count }, (_, at) => {
      const { x, y } = middle({ ...board, turned: false }, ...cell(at));
      return corners.map((degrees) => corner(board, x, y, degrees));
    }).flat();
  const hex = board.shape === "hex";
  const turn = (/** @type {number[][]} */ points) => (board.turned ? points.map(([x, y]) => opposite(board, x ?? 0, y ?? 0)) : points);
  const line = (/** @type {number[][]} */ points) => `M${turn(points).map(([x, y]) => `${(x ?? 0).toFixed(1)} ${(y ?? 0).toFixed(1)}`).join("L")}`;
  return [
    { colour: left, path: line(side(rows, (row) => [0, row], hex ? [150, 210] : [135, 225])) },
    { colour: right, path: line(side(rows, (row) => [columns - 1, row], hex ? [30, 330] : [45, 315])) },
    { colour: bottom, path: line(side(columns, (column) => [column, 0], hex ? [150, 90, 30] : [135, 45])) },
    { colour: top, path: line(side(columns, (column) => [column, rows - 1], hex ? [210, 270, 330] : [225, 315])) },
  ];
}

/**
 * A corner of a cell, a little outside of it.
 * @param {Board} board
 * @param {number} x
 * @param {number} y
 * @param {number} degrees
 */
function corner(board, x, y, degrees) {
  const reach = board.shape === "hex" ? HEX + 4 : 52 * Math.SQRT2;
  const angle = (degrees * Math.PI) / 180;
  return [x + reach * Math.cos(angle), y + reach * Math.sin(angle)];
}

/**
 * A point as it is seen from the other side.
 * @param {Board} board
 * @param {number} x
 * @param {number} y
 */
function opposite(board, x, y) {
  const [first, last] = [middle(board, 0, 0), middle(board, board.columns.length - 1, board.rows.length - 1)];
  return [first.x + last.x - x, first.y + last.y - y];
}

/** @param {Board} board */
function blockLines(board) {
  if (!board.blocks || board.shape !== "square") return "";
  const [across, up] = board.blocks;
  const [width, height] = [board.columns.length, board.rows.length];
  /** @type {string[]} */
  const lines = [];
  for (let column = across; column < width; column += across) lines.push(`M${100 * (board.turned ? width - column : column)} 0v${100 * height}`);
  for (let row = up; row < height; row += up) lines.push(`M0 ${100 * (board.turned ? row : height - row)}h${100 * width}`);
  return lines.join("");
}

/**
 * @param {Board} board
 * @param {(cell: number) => boolean} present
 */
function loneHoles(board, present) {
  const [columns, rows] = [board.columns.length, board.rows.length];
  const hole = (/** @type {number} */ column, /** @type {number} */ row) =>
    column >= 0 && row >= 0 && column < columns && row < rows && !present(board.first + row * columns + column);
  /** @type {{x: number, y: number}[]} */
  const found = [];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const lone = hole(column, row) && !hole(column - 1, row) && !hole(column + 1, row) && !hole(column, row - 1) && !hole(column, row + 1);
      if (lone) found.push(middle(board, column, row));
    }
  }
  return found;
}

/** @type {Record<string, number>} */
const ROOM = { square: 1, hex: 0.95, triangle: 0.56, points: 0.95 };

/**
 * @param {Board} board
 * @param {number} cell
 * @param {number} column
 * @param {number} row
 * @returns {Place}
 */
function place(board, cell, column, row) {
  const { x, y } = middle(board, column, row);
  const dark = board.checkered && (column + row) % 2 === 0;
  return { cell, column, row, x, y, dark, outline: outline(board, column, row, x, y) };
}

/**
 * @param {Board} board
 * @param {number} column
 * @param {number} row
 */
function middle(board, column, row) {
  [column, row] = seen(board, column, row);
  const fromTop = board.rows.length - 1 - row;
  switch (board.shape) {
    case "hex":
      return { x: 50 + column * 100 + row * 50, y: HEX + fromTop * 1.5 * HEX };
    case "triangle":
      return { x: 50 + column * 50, y: fromTop * TALL + (pointsUp(column, row) ? (2 / 3) * TALL : TALL / 3) };
    default:
      return { x: 50 + column * 100, y: 50 + fromTop * 100 };
  }
}

/**
 * Where a square is on the screen, counted from the left and from below.
 * @param {Board} board
 * @param {number} column
 * @param {number} row
 */
function seen(board, column, row) {
  return board.turned ? [board.columns.length - 1 - column, board.rows.length - 1 - row] : [column, row];
}

/**
 * @param {number} column
 * @param {number} row
 */
function pointsUp(column, row) {
  return (column + row) % 2 === 0;
}

/**
 * @param {Board} board
 * @param {number} column
 * @param {number} row
 * @param {number} x
 * @param {number} y
 */
function outline(board, column, row, x, y) {
  switch (board.shape) {
    case "hex":
      return polygon([0, 1, 2, 3, 4, 5].map((corner) => {
        const angle = (Math.PI / 3) * corner + Math.PI / 6;
        return [x + (HEX - 2) * Math.cos(angle), y + (HEX - 2) * Math.sin(angle)];
      }));
    case "triangle": {
      const [across, up] = seen(board, column, row);
      const tip = pointsUp(across, up) ? -1 : 1;
      return polygon([[x, y + tip * (2 / 3) * TALL * 0.95], [x - 47, y - (tip * TALL * 0.95) / 3], [x + 47, y - (tip * TALL * 0.95) / 3]]);
    }
    case "points":
      return `M${x - 44} ${y}a44 44 0 1 0 88 0a44 44 0 1 0 -88 0z`;
    default:
      return board.checkered ? square(x, y, 50, 0) : square(x, y, 47, 9);
  }
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} half
 * @param {number} corner
 */
function square(x, y, half, corner) {
  const side = 2 * (half - corner);
  const arc = (/** @type {number} */ dx, /** @type {number} */ dy) => (corner ? `a${corner} ${corner} 0 0 1 ${dx} ${dy}` : "");
  const sides = [`h${side}`, arc(corner, corner), `v${side}`, arc(-corner, corner), `h${-side}`, arc(-corner, -corner), `v${-side}`, arc(corner, -corner)];
  return `M${x - half + corner} ${y - half}${sides.join("")}z`;
}

/** @param {number[][]} corners */
function polygon(corners) {
  return `M${corners.map(([x, y]) => `${(x ?? 0).toFixed(1)} ${(y ?? 0).toFixed(1)}`).join("L")}z`;
}

/**
 * @param {Board} board
 * @param {Place[]} places
 * @param {boolean} labelled
 */
function bounds(board, places, labelled) {
  const reach = board.shape === "hex" ? HEX : 50;
  const xs = places.map((one) => one.x);
  const ys = places.map((one) => one.y);
  const [left, right] = [Math.min(...xs, Infinity) - 50, Math.max(...xs, -Infinity) + 50];
  const [top, bottom] = [Math.min(...ys, Infinity) - reach, Math.max(...ys, -Infinity) + reach];
  if (places.length === 0) return { x: 0, y: 0, width: 100, height: 100 };
  const edge = labelled ? 34 : 0;
  const side = labelled ? rowEdge(board) : 0;
  return { x: left - side - 10, y: top - 10, width: right - left + side + 20, height: bottom - top + edge + 20 };
}

/** @param {Board} board */
function edgeLabels(board) {
  const below = board.rows.length * (board.shape === "hex" ? 1.5 * HEX : board.shape === "triangle" ? TALL : 100);
  const shift = board.shape === "hex" ? HEX / 2 : 0;
  const columns = board.columns.map((name, column) => ({
    x: middle(board, column, board.turned ? board.rows.length - 1 : 0).x - (board.shape === "hex" ? 22 : 0),
    y: below + shift + 21,
    text: short(board.columnLabels[column] ?? name),
  }));
  const rows = board.rows.map((name, row) => {
    const first = middle(board, board.turned ? board.columns.length - 1 : 0, row);
    return { x: first.x - 55 - rowEdge(board) / 2, y: first.y, text: short(board.rowLabels[row] ?? name) };
  });
  // What a single row is called is the name of the whole board.
  return board.rows.length > 1 ? [...columns, ...rows] : columns;
}

/** How wide the labels of the rows are. @param {Board} board */
function rowEdge(board) {
  if (board.rows.length === 1) return 6;
  const longest = Math.max(...board.rows.map((name, row) => short(board.rowLabels[row] ?? name).length));
  return longest > 2 ? 8 + 11.5 * longest : 34;
}

/** @param {string} label */
function short(label) {
  const text = readable(label);
  return text.length > LONGEST_LABEL ? `${text.slice(0, LONGEST_LABEL - 1)}…` : text;
}

/**
 * Lines between neighbouring points of a row or column, over holes, but never through a hole in the very middle of the
 * board (as in the mill boards).
 * @param {Board} board
 * @param {(cell: number) => boolean} present
 */
function pointLines(board, present) {
  const [columns, rows] = [board.columns.length, board.rows.length];
  const at = (/** @type {number} */ column, /** @type {number} */ row) => present(board.first + row * columns + column);
  const central = (/** @type {number} */ column, /** @type {number} */ row) => 2 * column === columns - 1 && 2 * row === rows - 1;
  /** @type {string[]} */
  const drawn = [];
  const walk = (/** @type {number} */ column, /** @type {number} */ row, /** @type {number} */ right, /** @type {number} */ up) => {
    let [c, r] = [column + right, row + up];
    while (c < columns && r < rows && !at(c, r) && !central(c, r)) [c, r] = [c + right, r + up];
    if (c >= columns || r >= rows || !at(c, r)) return;
    const [from, to] = [middle(board, column, row), middle(board, c, r)];
    drawn.push(`M${from.x} ${from.y}L${to.x} ${to.y}`);
  };
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      if (!at(column, row)) continue;
      walk(column, row, 1, 0);
      walk(column, row, 0, 1);
    }
  }
  return drawn.join("");
}
