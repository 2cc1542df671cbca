/**
 * The shapes of what the server sends, as JSDoc types; there is no code here.
 * Use them as `import("./types.js").Frame`.
 *
 * @typedef {object} Board One board of a scene; its cells are numbered `first + row * columns + column`.
 * @property {string} name
 * @property {"square" | "hex" | "triangle" | "points"} shape
 * @property {string[]} columns From left to right, as in the rules.
 * @property {string[]} rows From the bottom up, as in the rules.
 * @property {string[]} columnLabels
 * @property {string[]} rowLabels
 * @property {boolean} checkered
 * @property {number} first
 * @property {[string, string, string, string]} [edges] The colours of the edges: left, right, bottom, top.
 * @property {[number, number]} [blocks] How many columns and rows make a block.
 * @property {boolean} [sparse] Whether cells of which the start says nothing do not exist.
 * @property {boolean} [turned] Whether it is seen from the other side.
 *
 * @typedef {object} Look How a content is drawn: by a shape, a glyph or a short text.
 * @property {string} [shape]
 * @property {string} [glyph]
 * @property {string} [text]
 * @property {string} [colour]
 * @property {string} [badge] Letters upon it, where another content would look the same.
 *
 * @typedef {object} Scene How a game is drawn.
 * @property {Board[]} boards
 * @property {number} cells
 * @property {Record<string, Look>} looks
 *
 * @typedef {object} Fact Something true that is on no board.
 * @property {string} label
 * @property {string[]} values
 *
 * @typedef {object} LegalMove
 * @property {string} move
 * @property {number[][]} steps What to click, in order; of each set of cells any will do.
 * @property {number[][]} [ways] Other ways to click it, for moves that name no square.
 *
 * @typedef {object} LineMove
 * @property {string[]} joint
 * @property {number[]} cells
 *
 * @typedef {object} RankedMove
 * @property {string} move
 * @property {number} value
 * @property {number} visits
 * @property {number | null} certain
 * @property {number[][]} steps
 *
 * @typedef {object} Decision What a search found.
 * @property {number} role
 * @property {string} player
 * @property {string} move
 * @property {number | null} value
 * @property {(number | null)[]} values
 * @property {number | null} certain
 * @property {number} simulations
 * @property {number} playouts
 * @property {number} rate Simulations a second.
 * @property {number} states
 * @property {number} seconds
 * @property {number} nodes
 * @property {string} stopped
 * @property {RankedMove[]} moves Best first.
 * @property {LineMove[]} line
 *
 * @typedef {object} Made The joint move that led to a frame.
 * @property {string[]} joint For each role its move; empty where it is hidden.
 * @property {number[]} cells
 * @property {(Decision | null)[]} [by]
 * @property {(string | null)[]} [failures]
 *
 * @typedef {object} Frame One position.
 * @property {number} ply
 * @property {(string | null)[]} cells
 * @property {Fact[]} beside
 * @property {number[]} turn
 * @property {LegalMove[][]} [legal]
 * @property {string[][]} [percepts]
 * @property {(number | null)[] | null} [goals]
 * @property {string | null} [ended]
 * @property {Made | null} [made]
 * @property {number[]} [clock] For each role what it had left, in milliseconds.
 *
 * @typedef {object} GameCard
 * @property {string} id
 * @property {string} title
 * @property {number} players
 * @property {string} kind
 * @property {string} idea
 * @property {string} rules
 * @property {number} [moves] How many joint moves a match takes in which all play at random.
 *
 * @typedef {object} GameOnly
 * @property {boolean} bundled
 * @property {string[]} roles
 * @property {number | null} random
 * @property {string} dialect
 * @property {string} turns
 * @property {boolean} hidden Whether roles see only what they are told.
 * @property {Scene} scene
 * @property {Frame} start
 * @property {string} [text]
 * @property {string} [family] Its name without a size, if it comes in others.
 *
 * @typedef {GameCard & GameOnly} Game
 *
 * @typedef {object} Table A live table, as its snapshot tells.
 * @property {string} id
 * @property {Game} game
 * @property {(string | null)[]} seats
 * @property {number} seconds
 * @property {number} pace
 * @property {boolean} paused
 * @property {Frame[]} frames
 * @property {number[]} thinking
 * @property {number[]} [pending]
 * @property {number[]} taken The roles that a person has taken.
 * @property {{left: number[], running: number[], increment: number, start: number}} [clock]
 * @property {boolean} secret Whether people play who may not know everything; then positions come for one role.
 * @property {number | null} role The role whose view this is, where things are secret.
 * @property {string} [unkept] Why the match is lost when the arena closes, if it would be.
 * @property {string | null} [match] The name of its record, when it has ended and was written down.
 *
 * @typedef {object} TableLine A table in the list of live tables.
 * @property {string} id
 * @property {string} game
 * @property {string} title
 * @property {(string | null)[]} seats
 * @property {number} ply
 * @property {string | null} ended
 * @property {number} viewers
 *
 * @typedef {object} Player One of the catalogue.
 * @property {string} name
 * @property {string} about
 * @property {PlayerOption[]} keys
 *
 * @typedef {object} Level A player by how well it plays.
 * @property {string} name
 * @property {string} title
 * @property {number | null} simulations
 *
 * @typedef {object} PlayerOption What can be set about a player.
 * @property {string} name
 * @property {string} about
 * @property {string} wanted What it takes and when, in words.
 * @property {string} default Empty where it does not count unless something else is set.
 * @property {Takes} takes
 *
 * @typedef {object} Takes The values that an option takes.
 * @property {string[]} [words]
 * @property {{least: number, most: number, whole: boolean}} [number]
 * @property {string} [text] Texts of another form, described.
 *
 * @typedef {object} Route What a page is shown with.
 * @property {Record<string, string>} params From the path, such as `id`.
 * @property {URLSearchParams} query
 * @property {AbortSignal} signal Aborted when the visitor leaves the page: stop timers and streams then.
 *
 * @typedef {(root: HTMLElement, route: Route) => Promise<void>} Page
 */
export {};
