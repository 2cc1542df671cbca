//! A game with one level, ready to be played: what never changes while it is played.
//!
//! Sprites of types that nothing can create, move or change are found out here (`is_fixed`) and
//! kept in the level, so that states need not carry walls and floors along.

use std::sync::Arc;

use paidia_gdl::{Source, Span};

use crate::class::{Action, Class};
use crate::description::{AVATAR, Description};
use crate::effect::{Effect, Operation as O};
use crate::kind::{NO_TYPE, TypeId};
use crate::paths::Paths;
use crate::problems::{Finding, NO_AVATAR, TOO_LARGE, UNMAPPED};
use crate::state::{NONE, Rect, Sprite, State, bit, flag};

/// The most cells of a level. The largest level known has 868.
pub const MAX_CELLS: usize = 20_000;
/// The largest block, in pixels.
pub(crate) const MAX_BLOCK: i32 = 1_000;
/// The largest width or height of a sprite, in pixels.
const MAX_SIZE: f64 = 30_000.0;
/// The most sprites that a level may have at the start.
pub(crate) const MAX_SPRITES: usize = 40_000;
/// The most sprites at once before nothing more is created. (C-1)
pub(crate) const CREATION_LIMIT: i32 = 10_000;

/// What the engine needs of a type while it plays.
#[derive(Clone, Debug)]
pub(crate) struct Kind {
    pub(crate) class: Option<Class>,
    /// What a new sprite is like, wherever it stands.
    pub(crate) fresh: Sprite,
    pub(crate) speed: f64,
    /// Pixels of a passive step, and of an active one at the own speed; 0 for no step.
    pub(crate) passive_step: i32,
    pub(crate) active_step: i32,
    pub(crate) cooldown: i32,
    pub(crate) passes: bool,
    pub(crate) stationary: bool,
    pub(crate) rotates: bool,
    pub(crate) is_avatar: bool,
    pub(crate) is_resource: bool,
    pub(crate) turn: Option<u16>,
    pub(crate) subtypes_may_be_avatars: bool,
}

/// Two types that meet, with what is needed to find their sprites.
#[derive(Clone, Debug)]
pub(crate) struct HotPair {
    pub(crate) p: TypeId,
    pub(crate) q: TypeId,
    pub(crate) first: Vec<TypeId>,
    pub(crate) second: Vec<TypeId>,
    pub(crate) first_mask: u64,
    pub(crate) second_mask: u64,
    /// The place of a type in the list, or `NONE`.
    pub(crate) first_rank: Vec<u16>,
    pub(crate) second_rank: Vec<u16>,
    pub(crate) effects: Vec<u16>,
    /// Sprites of the level on either side.
    pub(crate) fixed_first: usize,
    pub(crate) fixed_second: usize,
    /// Bits of all types on either side.
    pub(crate) either_mask: u64,
}

/// A game with one level.
#[derive(Debug)]
pub struct Level {
    /// The rules.
    pub game: Arc<Description>,
    pub(crate) block: i32,
    pub(crate) columns: i32,
    pub(crate) rows: i32,
    pub(crate) screen: (i32, i32),
    pub(crate) kinds: Vec<Kind>,
    pub(crate) pairs: Vec<HotPair>,
    /// Types that have something to do in their turns, in the order of updates.
    pub(crate) active: Vec<TypeId>,
    /// Sprites that never change, by type and order of creation.
    pub(crate) fixed: Vec<Sprite>,
    fixed_spans: Vec<(u16, u16)>,
    fixed_slots: Vec<u16>,
    pub(crate) fixed_masks: Vec<u64>,
    fixed_starts: Vec<u32>,
    fixed_by_cell: Vec<u16>,
    pub(crate) fixed_askew: bool,
    /// Bits of the types that have sprites here.
    pub(crate) fixed_present: u64,
    pub(crate) cells_at: usize,
    stride: usize,
    column_of: Vec<u16>,
    row_of: Vec<u16>,
    pub(crate) largest: (i32, i32),
    pub(crate) changes_speed: bool,
    /// Marks of sprites that meet nothing as the first of a pair, and as the second: dead avatars
    /// still meet others in the original.
    pub(crate) out: (u16, u16),
    pub(crate) paths: Option<Paths>,
    initial: State,
}

/// A level, if it can be played, and what is wrong with it.
#[derive(Debug)]
pub struct LevelReading {
    /// The level.
    pub level: Option<Level>,
    /// Problems in the text of the level.
    pub problems: Vec<Finding>,
}

impl Level {
    /// Reads a level of a game.
    pub fn read(game: &Arc<Description>, source: &Source) -> LevelReading {
        let mut problems = Vec::new();
        let cells = cells(game, &source.text, &mut problems);
        let mut level = None;
        if let Some(cells) = cells.filter(|_| !problems.iter().any(Finding::is_error)) {
            level = Some(Level::build(game, &cells));
        }
        if level
            .as_ref()
            .is_some_and(|level| level.initial.head.avatar == NONE)
        {
            let help = "put a character into the level that the LevelMapping turns into an avatar";
            let message = "this level has no avatar";
            problems.push(Finding::new(&NO_AVATAR, Span::new(0, 0), message).help(help));
            level = None;
        }
        LevelReading { level, problems }
    }

    /// The state in which the game starts, with the generator of a seed.
    pub fn start(&self, seed: i64) -> State {
        let mut state = self.initial.clone();
        state.head.random = crate::random::Random::from_seed(seed);
        state
    }

    /// Whether anything that happens depends on a draw.
    pub fn is_random(&self) -> bool {
        let some = |chance: f64| chance > 0.0 && chance < 1.0;
        let moves = self.game.types.iter().any(|kind| {
            let fields = &kind.fields;
            match kind.class {
                Some(Class::Spreader) => some(fields.spread),
                Some(Class::SpawnPoint | Class::Bomber | Class::SpawnPointMultiSprite) => {
                    some(fields.probability)
                }
                Some(Class::BomberRandomMissile) => {
                    some(fields.probability) || fields.targets.len() > 1
                }
                Some(Class::PathChaser) => true,
                Some(Class::RandomMissile | Class::RandomBomber) => true,
                Some(class) => fields.is_npc && !class.is_spawner(),
                None => false,
            }
        });
        let effects = self
            .game
            .effects
            .iter()
            .any(|effect| match effect.operation {
                O::FlipDirection | O::TeleportToExit | O::TransformToRandomChild => true,
                _ => some(effect.probability),
            });
        moves || effects
    }

    /// Pixels of a block.
    pub fn block(&self) -> i32 {
        self.block
    }

    /// Columns and rows of blocks.
    pub fn size(&self) -> (i32, i32) {
        (self.columns, self.rows)
    }

    /// The actions that the player's avatar has at present. (section 14)
    pub fn actions(&self, state: &State) -> &'static [Action] {
        let avatar = state.avatar(self);
        let class = avatar.and_then(|avatar| self.kinds[usize::from(avatar.kind)].class);
        class.map_or(&[], Class::actions)
    }

    fn build(game: &Arc<Description>, cells: &Cells) -> Self {
        let block = game.block.unwrap_or_else(|| {
            let longest = cells.columns.max(cells.rows) as i32;
            (800 / longest.max(1)).max(2)
        });
        let (columns, rows) = (cells.columns as i32, cells.rows as i32);
        let kinds: Vec<Kind> = kinds(game, block);
        let largest = kinds.iter().fold((block, block), |(w, h), kind| {
            (
                w.max(i32::from(kind.fresh.w)),
                h.max(i32::from(kind.fresh.h)),
            )
        });
        let stride = cells.columns + 2;
        let count = stride * (cells.rows + 2);
        let mut level = Self {
            game: Arc::clone(game),
            block,
            columns,
            rows,
            screen: (columns * block, rows * block),
            pairs: pairs(game),
            active: Vec::new(),
            fixed: Vec::new(),
            fixed_spans: vec![(0, 0); kinds.len()],
            fixed_slots: Vec::new(),
            fixed_masks: vec![0; count],
            fixed_starts: vec![0; count + 1],
            fixed_by_cell: Vec::new(),
            fixed_askew: false,
            fixed_present: 0,
            cells_at: 3 * kinds.len(),
            stride,
            column_of: (0..columns * block)
                .map(|x| (x / block + 1) as u16)
                .collect(),
            row_of: (0..rows * block).map(|y| (y / block + 1) as u16).collect(),
            largest,
            changes_speed: game
                .effects
                .iter()
                .any(|effect| changes_speed(effect.operation)),
            kinds,
            out: match game.faithful {
                true => (flag::KILLED, 0),
                false => (flag::KILLED | flag::DISABLED, flag::DISABLED),
            },
            paths: None,
            initial: State::default(),
        };
        let order = game.order.iter().rev().copied();
        level.active = order.filter(|&id| level.updates(id)).collect();
        level.populate(cells, count);
        level.paths = Paths::of(&level, &level.initial);
        level
    }

    /// Creates the sprites of the level. (L-3, L-4, L-6)
    fn populate(&mut self, cells: &Cells, count: usize) {
        let touched = touched(&self.game);
        let fixed: Vec<bool> = (0..self.kinds.len())
            .map(|id| !touched[id] && !self.kinds[id].is_avatar && !self.updates_ever(id as TypeId))
            .collect();
        let mut id = 0;
        let mut own = Vec::new();
        let mut first_avatar = false;
        let mut counted = vec![0i32; self.kinds.len()];
        let mut dropped = 0;
        for (column, row, kind) in &cells.sprites {
            let details = &self.game.types[usize::from(*kind)];
            let made = self.kinds[usize::from(*kind)].class.is_some();
            let single = details.single.iter().any(|&other| {
                let all = self.game.types[usize::from(other)].subtypes.iter();
                all.map(|&below| counted[usize::from(below)]).sum::<i32>() > 0
            });
            if !made || single || id as i32 >= CREATION_LIMIT + dropped {
                continue;
            }
            let mut sprite = self.kinds[usize::from(*kind)].fresh;
            sprite.x = *column as i32 * self.block;
            sprite.y = *row as i32 * self.block;
            (sprite.last_x, sprite.last_y) = (sprite.x, sprite.y);
            sprite.id = id;
            id += 1;
            counted[usize::from(*kind)] += 1;
            if self.kinds[usize::from(*kind)].is_avatar
                && std::mem::replace(&mut first_avatar, true)
            {
                counted[usize::from(*kind)] -= 1;
                dropped += 1;
            } else if fixed[usize::from(*kind)] {
                self.fixed.push(sprite);
            } else {
                own.push(sprite);
            }
        }
        self.index_fixed(count);
        for pair in &mut self.pairs {
            let total = |list: &[TypeId], spans: &[(u16, u16)]| {
                list.iter()
                    .map(|&kind| usize::from(spans[usize::from(kind)].1))
                    .sum()
            };
            pair.fixed_first = total(&pair.first, &self.fixed_spans);
            pair.fixed_second = total(&pair.second, &self.fixed_spans);
        }
        let mut state = State::empty(self.kinds.len(), count, self.pairs.len(), self.fixed.len());
        state.extras.counters = vec![0; self.game.counters];
        self.add_timers(&mut state);
        for sprite in own {
            let kind = sprite.kind;
            let slot = state
                .add(self, sprite)
                .expect("a level has fewer sprites than slots");
            if self.kinds[usize::from(kind)].is_avatar
                && self.kinds[usize::from(kind)].turn > Some(0)
            {
                state.head.avatar = slot;
            }
            if self.kinds[usize::from(kind)].class == Some(Class::OngoingTurningAvatar) {
                state.head.trailed |= bit(kind);
            }
        }
        state.head.next_id = id;
        state.head.count = id as i32 - dropped;
        state.head.disturbed_before = u64::MAX;
        state.note_extras();
        self.initial = state;
    }

    /// The effects that run by time alone. (E-1)
    fn add_timers(&self, state: &mut State) {
        for &(kind, place) in &self.game.timers {
            let effect = &self.game.effects[usize::from(place)];
            let due = if effect.next_execution == -1 {
                -1
            } else {
                effect.timer
            };
            let timer = crate::state::Timer {
                due,
                effect: place,
                wait: effect.timer,
                repeating: effect.repeating,
                kind,
            };
            let at = state.extras.timers.partition_point(|other| other.due < due);
            state.extras.timers.insert(at, timer);
        }
    }

    /// Sorts the sprites that never change by type and by cell.
    fn index_fixed(&mut self, count: usize) {
        let mut slots: Vec<u16> = (0..self.fixed.len() as u16).collect();
        slots.sort_by_key(|&slot| self.fixed[usize::from(slot)].kind);
        for (place, &slot) in slots.iter().enumerate() {
            let span = &mut self.fixed_spans[usize::from(self.fixed[usize::from(slot)].kind)];
            if span.1 == 0 {
                span.0 = place as u16;
            }
            span.1 += 1;
        }
        self.fixed_slots = slots;
        for slot in 0..self.fixed.len() {
            let (cell, askew) = self.home(self.fixed[slot].rect());
            self.fixed[slot].cell = cell;
            self.fixed_askew |= askew;
            self.fixed_present |= bit(self.fixed[slot].kind);
            self.fixed_masks[usize::from(cell)] |= bit(self.fixed[slot].kind);
        }
        let mut by_cell: Vec<u16> = (0..self.fixed.len() as u16).collect();
        by_cell.sort_by_key(|&slot| self.fixed[usize::from(slot)].cell);
        for sprite in &self.fixed {
            self.fixed_starts[usize::from(sprite.cell) + 1] += 1;
        }
        for cell in 0..count {
            self.fixed_starts[cell + 1] += self.fixed_starts[cell];
        }
        self.fixed_by_cell = by_cell;
    }

    /// The sprites of the level at home in a cell.
    #[inline]
    pub(crate) fn fixed_in(&self, cell: usize) -> &[u16] {
        let start = self.fixed_starts[cell] as usize;
        &self.fixed_by_cell[start..self.fixed_starts[cell + 1] as usize]
    }

    /// The sprites of a type that never change.
    #[inline]
    pub(crate) fn fixed_group(&self, kind: TypeId) -> &[u16] {
        let (start, len) = self.fixed_spans[usize::from(kind)];
        &self.fixed_slots[usize::from(start)..usize::from(start) + usize::from(len)]
    }

    /// The cell of the upper left corner, in a grid with a border for all that is outside, and
    /// whether the rectangle is anything but one block on the grid.
    #[inline]
    pub(crate) fn home(&self, rect: Rect) -> (u16, bool) {
        let (column, row) = (self.column(rect.x), self.row(rect.y));
        let inside = rect.x >= 0 && rect.y >= 0 && rect.x < self.screen.0 && rect.y < self.screen.1;
        let straight = i32::from(rect.w) == self.block
            && i32::from(rect.h) == self.block
            && if inside {
                (column as i32 - 1) * self.block == rect.x
                    && (row as i32 - 1) * self.block == rect.y
            } else {
                rect.x % self.block == 0 && rect.y % self.block == 0
            };
        ((row * self.stride + column) as u16, !straight)
    }

    #[inline]
    fn column(&self, x: i32) -> usize {
        if x < 0 {
            0
        } else {
            self.column_of
                .get(x as usize)
                .map_or(self.columns as usize + 1, |&column| column.into())
        }
    }

    #[inline]
    fn row(&self, y: i32) -> usize {
        if y < 0 {
            0
        } else {
            self.row_of
                .get(y as usize)
                .map_or(self.rows as usize + 1, |&row| row.into())
        }
    }

    /// The cells in which sprites can be at home that overlap with a rectangle: first and last
    /// column and row, and cells of a row. `straight`: only sprites on the grid are looked for.
    #[inline]
    pub(crate) fn around(&self, rect: Rect, straight: bool) -> (usize, usize, usize, usize) {
        let (reach_x, reach_y) = if straight {
            (0, 0)
        } else {
            (self.largest.0 - 1, self.largest.1 - 1)
        };
        (
            self.column(rect.x - reach_x),
            self.column(rect.x + i32::from(rect.w).max(1) - 1),
            self.row(rect.y - reach_y),
            self.row(rect.y + i32::from(rect.h).max(1) - 1),
        )
    }

    /// Cells of the grid with its border.
    pub(crate) fn cell_count(&self) -> usize {
        self.fixed_masks.len()
    }

    pub(crate) fn stride(&self) -> usize {
        self.stride
    }

    /// Whether sprites of a type have something to do in their turns.
    fn updates(&self, id: TypeId) -> bool {
        !self.kinds[usize::from(id)].is_avatar && self.updates_ever(id)
    }

    fn updates_ever(&self, id: TypeId) -> bool {
        let kind = &self.kinds[usize::from(id)];
        let Some(class) = kind.class else {
            return false;
        };
        let base = matches!(
            class,
            Class::Immovable
                | Class::Door
                | Class::Conveyor
                | Class::Passive
                | Class::Resource
                | Class::ResourcePack
                | Class::Missile
                | Class::ErraticMissile
                | Class::SpriteProducer
                | Class::Portal
        );
        let turns = self
            .game
            .effects
            .iter()
            .any(|effect| effect.take_orientation);
        let moves = kind.passes
            && (kind.fresh.is(flag::ORIENTED) || turns)
            && (kind.speed != 0.0 || self.changes_speed);
        !base || moves || kind.fresh.time_to_live > -1
    }

    /// The fields that new sprites of a type have, for what is asked rarely.
    pub(crate) fn fields(&self, kind: TypeId) -> &crate::kind::Fields {
        &self.game.types[usize::from(kind)].fields
    }
}

fn changes_speed(operation: O) -> bool {
    matches!(
        operation,
        O::SetSpeedForAll
            | O::IncreaseSpeedToAll
            | O::DecreaseSpeedToAll
            | O::HalfSpeed
            | O::WallStop
    )
}

/// Characters of a level as sprites to create.
struct Cells {
    columns: usize,
    rows: usize,
    sprites: Vec<(usize, usize, TypeId)>,
}

/// Reads the text of a level. (L-2)
fn cells(game: &Description, text: &str, problems: &mut Vec<Finding>) -> Option<Cells> {
    let mut lines: Vec<&str> = text.split('\n').collect();
    if lines.last() == Some(&"") {
        lines.pop();
    }
    let clean = |line: &'_ str| -> usize { line.trim_end_matches('\r').chars().count() };
    let columns = lines.first().map_or(0, |line| clean(line));
    let rows = lines.len();
    if columns == 0 || columns * rows > MAX_CELLS || columns * rows == 0 {
        let message =
            format!("a level has from 1 to {MAX_CELLS} cells; the first line tells its width");
        problems.push(Finding::new(
            &TOO_LARGE,
            Span::new(0, text.len().min(1)),
            message,
        ));
        return None;
    }
    let mut sprites = Vec::new();
    let mut unmapped = Vec::new();
    let mut start = 0;
    for (row, line) in lines.iter().enumerate() {
        let kept = line.trim_end_matches('\r');
        for (column, (at, key)) in kept.char_indices().take(columns).enumerate() {
            match game.cells.get(&key) {
                Some(types) => sprites.extend(types.iter().map(|&kind| (column, row, kind))),
                None if key == ' ' || unmapped.contains(&key) => {}
                None => {
                    unmapped.push(key);
                    let span = Span::new(start + at, start + at + key.len_utf8());
                    let message = format!("the LevelMapping does not say what `{key}` is");
                    problems.push(Finding::new(&UNMAPPED, span, message));
                }
            }
        }
        start += line.len() + 1;
    }
    if sprites.len() > MAX_SPRITES {
        let message = format!("the level begins with more than {MAX_SPRITES} sprites");
        problems.push(Finding::new(&TOO_LARGE, Span::new(0, 0), message));
        return None;
    }
    Some(Cells {
        columns,
        rows,
        sprites,
    })
}

/// Turns a number toward zero into one of 32 bits, as Java does.
#[inline]
pub(crate) fn trunc(value: f64) -> i32 {
    value as i32
}

/// Pixels of a step with a speed; 0 for none. (M-2, M-5)
#[inline]
pub(crate) fn step(value: f64, speed: f64, block: i32) -> i32 {
    match trunc(value * f64::from(block)) {
        0 => trunc(speed),
        pixels => pixels,
    }
}

/// The pixels of a passive step. (M-3)
pub(crate) fn passive_step(speed: f64, block: i32) -> i32 {
    let value = if speed == -1.0 { 1.0 } else { speed };
    if value == 0.0 {
        0
    } else {
        step(value, speed, block)
    }
}

/// The pixels of an active step with `value`, 0 standing for the own speed. (M-4)
pub(crate) fn active_step(value: f64, speed: f64, block: i32) -> i32 {
    let value = match value {
        0.0 if speed <= 0.0 => 1.0,
        0.0 => speed,
        other => other,
    };
    step(value, speed, block)
}

fn kinds(game: &Description, block: i32) -> Vec<Kind> {
    let ids = 0..game.types.len();
    ids.map(|id| {
        let details = &game.types[id];
        let fields = &details.fields;
        let size =
            |factor: f64| trunc((f64::from(block) * factor).clamp(-MAX_SIZE, MAX_SIZE)) as i16;
        let (w, h) = (size(fields.width), size(fields.height));
        let orientation = State::default().code(fields.orientation);
        let avatar = fields.is_avatar && details.class.is_some_and(Class::is_avatar);
        let age = match details.class {
            Some(Class::Flicker | Class::OrientedFlicker | Class::Spreader) => fields.age,
            Some(class) if class.is_spawner() => -1,
            _ => 0,
        };
        let mut flags = flag::FRESH;
        if fields.oriented {
            flags |= flag::ORIENTED;
        }
        Kind {
            class: details.class,
            fresh: Sprite {
                w,
                h,
                last_w: w,
                last_h: h,
                a: age,
                health: fields.health,
                max_health: fields.max_health,
                time_to_live: fields.time_to_live,
                kind: id as TypeId,
                flags,
                orientation,
                ..Sprite::default()
            },
            speed: fields.speed,
            passive_step: passive_step(fields.speed, block),
            active_step: active_step(0.0, fields.speed, block),
            cooldown: fields.cooldown,
            passes: !fields.is_static && !fields.only_active,
            stationary: fields.stationary,
            rotates: fields.rotates,
            is_avatar: avatar,
            is_resource: fields.is_resource,
            turn: details.turn,
            subtypes_may_be_avatars: details.subtypes.iter().any(|&other| {
                game.types[usize::from(other)]
                    .class
                    .is_some_and(Class::is_avatar)
            }),
        }
    })
    .collect()
}

fn pairs(game: &Description) -> Vec<HotPair> {
    let pairs = game.pairs.iter().map(|pair| {
        let side = |kind: TypeId| {
            let list = game.types[usize::from(kind)].subtypes.clone();
            let mut rank = vec![NONE; game.types.len()];
            for (place, &other) in list.iter().enumerate() {
                rank[usize::from(other)] = place as u16;
            }
            let mask = list.iter().fold(0, |mask, &other| mask | bit(other));
            (list, rank, mask)
        };
        let (first, first_rank, first_mask) = side(pair.first);
        let (second, second_rank, second_mask) = side(pair.second);
        HotPair {
            p: pair.first,
            q: pair.second,
            first,
            second,
            first_mask,
            second_mask,
            first_rank,
            second_rank,
            effects: pair.effects.clone(),
            fixed_first: 0,
            fixed_second: 0,
            either_mask: first_mask | second_mask,
        }
    });
    pairs.collect()
}

/// Types of which sprites may be created, moved, changed or killed after the start.
fn touched(game: &Description) -> Vec<bool> {
    let mut touched = vec![false; game.types.len()];
    let mut touch = |kinds: &[TypeId]| {
        for &kind in kinds.iter().filter(|&&kind| kind != NO_TYPE) {
            touched[usize::from(kind)] = true;
        }
    };
    for details in &game.types {
        touch(&[details.fields.target, details.fields.trail]);
        touch(&details.fields.targets);
        touch(
            &details.ancestors[details.ancestors.len() - 1..]
                [..usize::from(details.class == Some(Class::Spreader))],
        );
        if details.class == Some(Class::OngoingTurningAvatar) {
            touch(&[crate::description::WALL]);
        }
    }
    touch(&[AVATAR]);
    let below = |kind: TypeId| -> &[TypeId] {
        game.types
            .get(usize::from(kind))
            .map_or(&[], |details| &details.subtypes)
    };
    for effect in &game.effects {
        touch(&[effect.stype, effect.other]);
        touch(below(effect.stype));
        touch(below(effect.other));
    }
    for pair in &game.pairs {
        for &place in &pair.effects {
            let effect = &game.effects[usize::from(place)];
            if changes_first(effect.operation) {
                touch(below(pair.first));
            }
            if changes_second(effect) {
                touch(below(pair.second));
            }
        }
    }
    for (kind, _) in &game.timers {
        touch(below(*kind));
    }
    for &kind in &game.edge_types {
        touch(below(kind));
    }
    touched
}

fn changes_first(operation: O) -> bool {
    !matches!(
        operation,
        O::UndoAll
            | O::KillAll
            | O::TransformToAll
            | O::Spawn
            | O::SpawnIfHasLess
            | O::SpawnBehind
            | O::SpawnAbove
            | O::SpawnBelow
            | O::SpawnLeft
            | O::SpawnRight
            | O::SetSpeedForAll
            | O::IncreaseSpeedToAll
            | O::DecreaseSpeedToAll
            | O::UpdateSpawnType
            | O::ShieldFrom
            | O::AddTimer
            | O::RemoveScore
    )
}

fn changes_second(effect: &Effect) -> bool {
    effect.kill_second
        || effect.kill_resource
        || effect.subtract
        || matches!(
            effect.operation,
            O::KillBoth | O::CollectResource | O::CollectResourceIfHeld
        )
}
