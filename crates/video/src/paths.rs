//! First steps of shortest ways between cells, for chasers that follow paths. (N-9)

use std::cmp::Ordering;
use std::sync::OnceLock;

use crate::level::Level;
use crate::state::State;

/// Codes of first steps: no way, else an orientation's code.
type Steps = Box<[u8]>;

/// First steps from each cell, found when they are first asked for.
#[derive(Debug)]
pub(crate) struct Paths {
    columns: i32,
    rows: i32,
    free: Vec<bool>,
    sideways: bool,
    from: Vec<OnceLock<Steps>>,
}

/// Neighbours in the order in which the original looks at them, with the codes of the steps.
const AROUND: [(i32, i32, u8); 4] = [(0, -1, 1), (0, 1, 3), (-1, 0, 2), (1, 0, 4)];

impl Paths {
    /// The ways of a level, if its game names obstacles and has a class that follows paths.
    pub(crate) fn of(level: &Level, state: &State) -> Option<Self> {
        let follows = level
            .kinds
            .iter()
            .any(|kind| kind.class.is_some_and(super::class::Class::follows_paths));
        if level.game.obstacles.is_empty() || !follows {
            return None;
        }
        let (columns, rows) = level.size();
        let mut free = vec![true; (columns * rows) as usize];
        let own = level.game.obstacles.iter().flat_map(|&kind| {
            let own = state.group(kind).iter();
            own.chain(level.fixed_group(kind))
                .map(|&slot| state.sprite(level, slot))
        });
        for sprite in own {
            if level.game.types[usize::from(sprite.kind)].is_hidden() {
                continue;
            }
            let (column, row) = (sprite.x / level.block(), sprite.y / level.block());
            if (0..columns).contains(&column) && (0..rows).contains(&row) {
                free[(row * columns + column) as usize] = false;
            }
        }
        Some(Self {
            columns,
            rows,
            sideways: level.actions(state).len() == 3,
            from: (0..free.len()).map(|_| OnceLock::new()).collect(),
            free,
        })
    }

    /// The code of the first step from one cell to another; none if there is no way.
    pub(crate) fn first_step(&self, start: (i32, i32), goal: (i32, i32)) -> Option<u16> {
        let place = |(column, row): (i32, i32)| {
            let inside = (0..self.columns).contains(&column) && (0..self.rows).contains(&row);
            inside.then(|| (row * self.columns + column) as usize)
        };
        let (start, goal) = (place(start)?, place(goal)?);
        if !self.free[start] {
            return None;
        }
        match self.from[start].get_or_init(|| self.search(start))[goal] {
            0 => None,
            step => Some(u16::from(step)),
        }
    }

    fn search(&self, start: usize) -> Steps {
        let mut steps = vec![0; self.free.len()].into_boxed_slice();
        let mut seen = vec![false; self.free.len()];
        let mut heap = Heap::default();
        heap.add(0, start);
        seen[start] = true;
        let around = if self.sideways {
            &AROUND[2..]
        } else {
            &AROUND[..]
        };
        while let Some((depth, cell)) = heap.poll() {
            let (column, row) = (cell as i32 % self.columns, cell as i32 / self.columns);
            for &(right, down, code) in around {
                let (column, row) = (column + right, row + down);
                if !(0..self.columns).contains(&column) || !(0..self.rows).contains(&row) {
                    continue;
                }
                let next = (row * self.columns + column) as usize;
                if self.free[next] && !std::mem::replace(&mut seen[next], true) {
                    steps[next] = if cell == start { code } else { steps[cell] };
                    heap.add(depth + 1, next);
                }
            }
        }
        steps
    }
}

/// A binary heap that treats ties as the original's: they decide among ways of equal length.
#[derive(Default)]
struct Heap {
    items: Vec<(u32, usize)>,
}

impl Heap {
    fn add(&mut self, depth: u32, cell: usize) {
        self.items.push((depth, cell));
        let mut at = self.items.len() - 1;
        while at > 0 {
            let parent = (at - 1) / 2;
            if self.items[at].0 >= self.items[parent].0 {
                break;
            }
            self.items.swap(at, parent);
            at = parent;
        }
    }

    fn poll(&mut self) -> Option<(u32, usize)> {
        let last = self.items.pop()?;
        let Some(first) = self.items.first().copied() else {
            return Some(last);
        };
        self.items[0] = last;
        let mut at = 0;
        loop {
            let (left, right) = (2 * at + 1, 2 * at + 2);
            let Some(&(depth, _)) = self.items.get(left) else {
                break;
            };
            let mut child = left;
            if self
                .items
                .get(right)
                .is_some_and(|other| other.0.cmp(&depth) == Ordering::Less)
            {
                child = right;
            }
            if last.0 <= self.items[child].0 {
                break;
            }
            self.items.swap(at, child);
            at = child;
        }
        Some(first)
    }
}
