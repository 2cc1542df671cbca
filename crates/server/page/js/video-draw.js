/**
 * Draws video games on a canvas: every type of sprite by a small drawing of its own, made here.
 */

/** @typedef {[number, number, number, number, number, number, number]} Sprite Type, x, y, width, height, direction */
/** @typedef {{name: string, glyph: string, colour: string, figure: string}} Look */
/**
 * @typedef {object} Opened What does not change while a game is played.
 * @property {string} id
 * @property {number} columns
 * @property {number} rows
 * @property {number} block
 * @property {Look[]} looks
 * @property {string[]} actions
 * @property {[string, string[]][]} characters
 * @property {Sprite[]} fixed
 * @property {Frame} frame
 */
/**
 * @typedef {object} Frame A moment of a game.
 * @property {number} tick
 * @property {number} length
 * @property {number} score
 * @property {number} win
 * @property {boolean} over
 * @property {string | null} action
 * @property {Sprite[]} sprites
 * @property {[string, number][]} has
 * @property {[number, number][]} plan
 * @property {number} thought
 * @property {number} calls
 */

/** @typedef {(pen: CanvasRenderingContext2D, look: Look, size: number, dx: number, dy: number) => void} Drawer */

/**
 * A circle's path.
 * @param {CanvasRenderingContext2D} pen
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 */
function disc(pen, x, y, radius) {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fill();
}

/**
 * A polygon through points given as shares of the size.
 * @param {CanvasRenderingContext2D} pen
 * @param {number} size
 * @param {[number, number][]} points
 */
function polygon(pen, size, points) {
  pen.beginPath();
  for (const [x, y] of points) pen.lineTo(x * size, y * size);
  pen.closePath();
  pen.fill();
}

/** @type {Record<string, Drawer>} */
const FIGURES = {
  wall: (pen, _, size) => {
    pen.fillRect(0, 0, size, size);
    pen.fillStyle = "rgb(0 0 0 / 18%)";
    pen.fillRect(0, size * 0.48, size, size * 0.05);
    pen.fillRect(size * 0.3, 0, size * 0.05, size * 0.48);
    pen.fillRect(size * 0.7, size * 0.53, size * 0.05, size * 0.47);
  },
  floor: (pen, _, size) => {
    pen.globalAlpha = 0.35;
    pen.fillRect(0, 0, size, size);
  },
  avatar: (pen, _, size, dx, dy) => {
    disc(pen, size / 2, size * 0.3, size * 0.22);
    pen.beginPath();
    pen.roundRect(size * 0.22, size * 0.5, size * 0.56, size * 0.45, size * 0.15);
    pen.fill();
    pen.fillStyle = "white";
    const [x, y] = [size / 2 + dx * size * 0.08, size * 0.28 + dy * size * 0.06];
    disc(pen, x - size * 0.08, y, size * 0.055);
    disc(pen, x + size * 0.08, y, size * 0.055);
  },
  door: (pen, _, size) => {
    pen.beginPath();
    pen.roundRect(size * 0.18, size * 0.06, size * 0.64, size * 0.92, [size * 0.3, size * 0.3, 0, 0]);
    pen.fill();
    pen.fillStyle = "rgb(0 0 0 / 40%)";
    disc(pen, size * 0.66, size * 0.55, size * 0.06);
  },
  gem: (pen, _, size) => polygon(pen, size, [[0.5, 0.12], [0.85, 0.45], [0.5, 0.9], [0.15, 0.45]]),
  arrow: (pen, _, size, dx, dy) => {
    const angle = Math.atan2(dy, dx);
    pen.translate(size / 2, size / 2);
    pen.rotate(dx || dy ? angle : 0);
    pen.translate(-size / 2, -size / 2);
    polygon(pen, size, [[0.08, 0.34], [0.6, 0.34], [0.6, 0.16], [0.95, 0.5], [0.6, 0.84], [0.6, 0.66], [0.08, 0.66]]);
  },
  ghost: (pen, _, size) => {
    pen.beginPath();
    pen.arc(size / 2, size * 0.45, size * 0.34, Math.PI, 0);
    for (const [x, y] of [[0.84, 0.9], [0.67, 0.76], [0.5, 0.9], [0.33, 0.76], [0.16, 0.9]]) {
      pen.lineTo(/** @type {number} */ (x) * size, /** @type {number} */ (y) * size);
    }
    pen.closePath();
    pen.fill();
    pen.fillStyle = "white";
    disc(pen, size * 0.38, size * 0.45, size * 0.08);
    disc(pen, size * 0.62, size * 0.45, size * 0.08);
  },
  chaser: (pen, _, size) => {
    polygon(pen, size, [[0.08, 0.3], [0.3, 0.3], [0.2, 0.05], [0.5, 0.25], [0.8, 0.05], [0.7, 0.3], [0.92, 0.3], [0.8, 0.95], [0.2, 0.95]]);
    pen.fillStyle = "black";
    disc(pen, size * 0.38, size * 0.5, size * 0.07);
    disc(pen, size * 0.62, size * 0.5, size * 0.07);
  },
  burst: (pen, _, size) => {
    /** @type {[number, number][]} */
    const points = [];
    for (let at = 0; at < 16; at += 1) {
      const radius = at % 2 ? 0.22 : 0.48;
      const angle = (at * Math.PI) / 8;
      points.push([0.5 + radius * Math.cos(angle), 0.5 + radius * Math.sin(angle)]);
    }
    polygon(pen, size, points);
  },
  source: (pen, _, size) => {
    pen.globalAlpha = 0.7;
    disc(pen, size / 2, size / 2, size * 0.45);
    pen.globalAlpha = 1;
    pen.fillStyle = "rgb(0 0 0 / 55%)";
    disc(pen, size / 2, size / 2, size * 0.28);
  },
  box: (pen, _, size) => {
    pen.fillRect(size * 0.08, size * 0.08, size * 0.84, size * 0.84);
    pen.strokeStyle = "rgb(0 0 0 / 45%)";
    pen.lineWidth = size * 0.06;
    pen.strokeRect(size * 0.16, size * 0.16, size * 0.68, size * 0.68);
    pen.beginPath();
    pen.moveTo(size * 0.16, size * 0.16);
    pen.lineTo(size * 0.84, size * 0.84);
    pen.stroke();
  },
  gone: () => {},
};

/**
 * One sprite.
 * @param {CanvasRenderingContext2D} pen
 * @param {Opened} game
 * @param {number} scale
 * @param {Sprite} sprite
 */
function drawSprite(pen, game, scale, [kind, x, y, width, height, dx, dy]) {
  const look = game.looks[kind];
  const draw = look && FIGURES[look.figure];
  if (!look || !draw) return;
  pen.save();
  pen.translate(x * scale, y * scale);
  if (width !== height) pen.scale(width / height, 1);
  pen.fillStyle = look.colour;
  draw(pen, look, height * scale, dx, dy);
  pen.restore();
}

/**
 * A frame, over what never changes, with the plan of a controller as a dotted way.
 * @param {HTMLCanvasElement} canvas
 * @param {Opened} game
 * @param {Frame} frame
 */
export function drawFrame(canvas, game, frame) {
  const pen = canvas.getContext("2d");
  if (!pen) return;
  const scale = canvas.width / (game.columns * game.block);
  pen.fillStyle = "#14171c";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  for (const sprite of game.fixed) drawSprite(pen, game, scale, sprite);
  for (const sprite of frame.sprites) drawSprite(pen, game, scale, sprite);
  pen.fillStyle = "rgb(255 255 255 / 75%)";
  for (const [x, y] of frame.plan) {
    disc(pen, (x + game.block / 2) * scale, (y + game.block / 2) * scale, game.block * scale * 0.1);
  }
}

/**
 * Makes a canvas as large as fits, with whole pixels for each block.
 * @param {HTMLCanvasElement} canvas
 * @param {Opened} game
 * @param {number} width
 */
export function fit(canvas, game, width) {
  const side = Math.max(6, Math.min(40, Math.floor(width / game.columns), Math.floor(560 / game.rows)));
  canvas.width = side * game.columns;
  canvas.height = side * game.rows;
}
