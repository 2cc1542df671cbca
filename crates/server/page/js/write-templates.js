/**
 * What a new rule sheet may begin with: small games that are whole, so that there is something to play and to change at once.
 */

/** @typedef {{name: string, about: string, text: string}} Template */

const RACE = `;;; Race
;;; Two players take turns and go one or two steps. Whoever reaches step 10 first wins.

(role red)
(role blue)

(init (at red 0))
(init (at blue 0))
(init (control red))

(<= (legal ?player (go ?steps))
    (true (control ?player))
    (true (at ?player ?from))
    (reaches ?from ?steps ?to))

(<= (legal ?player noop)
    (opponent ?player ?mover)
    (true (control ?mover)))

(<= (next (at ?player ?to))
    (does ?player (go ?steps))
    (true (at ?player ?from))
    (reaches ?from ?steps ?to))

(<= (next (at ?player ?place))
    (does ?player noop)
    (true (at ?player ?place)))

(<= (next (control ?player))
    (opponent ?player ?mover)
    (true (control ?mover)))

(<= terminal
    (true (at ?player 10)))

(<= (goal ?player 100)
    (true (at ?player 10)))

(<= (goal ?player 0)
    (opponent ?player ?winner)
    (true (at ?winner 10)))

(opponent red blue)
(opponent blue red)

(<= (reaches ?from 1 ?to)
    (successor ?from ?to))

(<= (reaches ?from 2 ?to)
    (successor ?from ?between)
    (successor ?between ?to))

(successor 0 1) (successor 1 2) (successor 2 3) (successor 3 4) (successor 4 5)
(successor 5 6) (successor 6 7) (successor 7 8) (successor 8 9) (successor 9 10)
`;

const BOARD = `;;; Corners
;;; Two players take turns to fill a square of a 4x4 board. Whoever first owns two corners wins.

(role white)
(role black)

(<= (init (cell ?column ?row empty))
    (index ?column)
    (index ?row))
(init (control white))

(<= (legal ?player (fill ?column ?row))
    (true (control ?player))
    (true (cell ?column ?row empty)))

(<= (legal ?player noop)
    (opponent ?player ?mover)
    (true (control ?mover)))

(<= (next (cell ?column ?row ?player))
    (does ?player (fill ?column ?row)))

(<= (next (cell ?column ?row ?content))
    (true (cell ?column ?row ?content))
    (not (filled ?column ?row)))

(<= (next (control ?player))
    (opponent ?player ?mover)
    (true (control ?mover)))

(<= terminal
    (two_corners ?player))

(<= terminal
    (not open))

(<= (goal ?player 100)
    (two_corners ?player))

(<= (goal ?player 0)
    (opponent ?player ?winner)
    (two_corners ?winner))

(<= (goal ?player 50)
    (role ?player)
    (not won))

(<= (filled ?column ?row)
    (does ?player (fill ?column ?row)))

(<= open
    (true (cell ?column ?row empty)))

(<= won
    (two_corners ?player))

(<= (two_corners ?player)
    (corner ?column ?row)
    (corner ?other_column ?other_row)
    (role ?player)
    (true (cell ?column ?row ?player))
    (true (cell ?other_column ?other_row ?player))
    (distinct (square ?column ?row) (square ?other_column ?other_row)))

(corner 1 1) (corner 1 4) (corner 4 1) (corner 4 4)
(opponent white black)
(opponent black white)
(index 1) (index 2) (index 3) (index 4)
`;

const PUZZLE = `;;; Switches
;;; Five lamps in a ring. A switch turns its own lamp and the next one around. Make all of them shine within five steps.

(role robot)

(init (lamp 1 off))
(init (lamp 2 on))
(init (lamp 3 on))
(init (lamp 4 off))
(init (lamp 5 on))
(init (step 1))

(<= (legal robot (press ?lamp))
    (neighbour ?lamp ?next))

(<= (next (lamp ?lamp ?other))
    (turned ?lamp)
    (true (lamp ?lamp ?state))
    (opposite ?state ?other))

(<= (next (lamp ?lamp ?state))
    (true (lamp ?lamp ?state))
    (not (turned ?lamp)))

(<= (next (step ?after))
    (true (step ?now))
    (successor ?now ?after))

(<= terminal
    bright)

(<= terminal
    (true (step 6)))

(<= (goal robot 100)
    bright)

(<= (goal robot 0)
    (not bright))

(<= (turned ?lamp)
    (does robot (press ?lamp)))

(<= (turned ?next)
    (does robot (press ?lamp))
    (neighbour ?lamp ?next))

(<= bright
    (true (lamp 1 on))
    (true (lamp 2 on))
    (true (lamp 3 on))
    (true (lamp 4 on))
    (true (lamp 5 on)))

(neighbour 1 2) (neighbour 2 3) (neighbour 3 4) (neighbour 4 5) (neighbour 5 1)
(opposite on off) (opposite off on)
(successor 1 2) (successor 2 3) (successor 3 4) (successor 4 5) (successor 5 6)
`;

const SIMULTANEOUS = `;;; Share or Take
;;; Both choose at once. Two who share get 60 each; who takes from one who shares gets 100; two who take get 20.

(role left)
(role right)

(init (round 1))

(<= (legal ?player share)
    (role ?player))

(<= (legal ?player take)
    (role ?player))

(<= (next (chose ?player ?choice))
    (does ?player ?choice))

(<= terminal
    (true (chose left ?choice)))

(<= (goal ?player ?points)
    (true (chose ?player ?own))
    (true (chose ?other ?theirs))
    (distinct ?player ?other)
    (payoff ?own ?theirs ?points))

(payoff share share 60)
(payoff share take 0)
(payoff take share 100)
(payoff take take 20)
`;

/** @type {Template[]} */
export const TEMPLATES = [
  { name: "race", about: "Race: two players, turn by turn, no board", text: RACE },
  { name: "corners", about: "Corners: a board of squares", text: BOARD },
  { name: "switches", about: "Switches: a puzzle for one", text: PUZZLE },
  { name: "share-or-take", about: "Share or Take: both move at once", text: SIMULTANEOUS },
];
