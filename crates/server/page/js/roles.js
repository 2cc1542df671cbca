/**
 * The colours of roles: `paintRoles(root, game)` gives the colours of series below `root` the tones of the roles' pieces
 * where these can be told (a role `red`, or a role `white` with a piece `white_king`), so that charts, lists and boards
 * agree. Roles without such a colour keep the usual one.
 */

/** Colour names and the tone of style.css that stands for them. @type {Record<string, string>} */
const TONES = {
  white: "white", black: "black", red: "red", crimson: "red", blue: "blue", royalblue: "blue", green: "green", yellow: "yellow",
  goldenrod: "yellow", gold: "yellow", orange: "orange", purple: "purple", pink: "pink", magenta: "pink", teal: "teal", cyan: "teal",
};

/**
 * @param {HTMLElement} root
 * @param {{roles: string[], scene: import("./types.js").Scene}} game
 */
export function paintRoles(root, game) {
  const tones = game.roles.map((role) => toneOf(role.toLowerCase(), game.scene.looks));
  if (new Set(tones.filter(Boolean)).size < tones.filter(Boolean).length) return;
  tones.forEach((tone, role) => {
    if (tone && role < 6) root.style.setProperty(`--series-${role}`, `var(--role-${tone})`);
  });
}

/**
 * Whether a role's pieces begin in the upper half of the board and another's in the lower, so that its person wants the
 * board turned round.
 * @param {{roles: string[], scene: import("./types.js").Scene, start: {cells: (string | null)[]}}} game
 * @param {number} role
 */
export function standsAbove(game, role) {
  const { boards, looks } = game.scene;
  if (role < 0 || boards.length !== 1 || !boards[0]) return false;
  const { columns, rows, first } = boards[0];
  const heights = game.roles.map((name) => {
    const tone = toneOf(name.toLowerCase(), looks);
    const own = game.start.cells.flatMap((content, cell) => {
      if (!content) return [];
      const colour = Object.hasOwn(looks, content) ? looks[content]?.colour : undefined;
      const isOwn = content.toLowerCase().startsWith(name.toLowerCase()) || (tone !== undefined && colour !== undefined && TONES[colour] === tone);
      return isOwn ? [Math.floor((cell - first) / columns.length)] : [];
    });
    return own.length === 0 ? null : own.reduce((sum, row) => sum + row, 0) / own.length - (rows.length - 1) / 2;
  });
  const mine = heights[role] ?? 0;
  return mine > 0.5 && heights.some((height) => height !== null && height < -0.5);
}

/**
 * @param {string} role
 * @param {Record<string, import("./types.js").Look>} looks
 * @returns {string | undefined}
 */
function toneOf(role, looks) {
  const own = TONES[role] ?? TONES[role.replace(/player$/, "")];
  if (own) return own;
  const coloured = Object.entries(looks).flatMap(([name, look]) => (look.colour ? [[name.toLowerCase(), look.colour]] : []));
  const found = coloured.find(([name]) => name === role)
    ?? coloured.find(([name]) => name?.startsWith(role))
    ?? coloured.find(([name]) => name && role.startsWith(name));
  return found?.[1] ? TONES[found[1]] : undefined;
}
