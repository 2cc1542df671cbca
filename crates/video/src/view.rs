//! What a player sees of a state: sprites by category, cells, the avatar, and nothing hidden.
//! (section 20)

use crate::class::{Action, Class};
use crate::kind::TypeId;
use crate::level::Level;
use crate::state::{NONE, Sprite, State, flag};

/// What kind of thing a sprite is for a player. (O-1)
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Category {
    /// The player's, or another that could be.
    Avatar,
    /// Something to collect.
    Resource,
    /// A door, an exit, a source.
    Portal,
    /// Something that acts by itself.
    Npc,
    /// Something that never moves by itself.
    Static,
    /// Something that the avatar made.
    FromAvatar,
    /// Anything else.
    Movable,
}

/// A sprite as it is seen from outside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpriteView {
    /// The number in the order of creation.
    pub id: u32,
    /// The type.
    pub kind: TypeId,
    /// The left and upper edge, in pixels.
    pub place: (i32, i32),
    /// Width and height, in pixels.
    pub size: (i32, i32),
    /// Where it looks.
    pub orientation: (f64, f64),
    /// Whether it looks anywhere.
    pub oriented: bool,
    /// Health points, and the most it ever had.
    pub health: (i32, i32),
    /// Whether it is dead: avatars stay where they died.
    pub disabled: bool,
    /// Whether the avatar made it.
    pub from_avatar: bool,
    /// Blocks of a move, if that is not what its type says.
    pub own_speed: Option<f64>,
    /// What it is for a player.
    pub category: Category,
    pub(crate) slot: u16,
}

impl State {
    /// All sprites: types in the order of their numbers, each in the order of creation.
    pub fn sprites<'a>(&'a self, level: &'a Level) -> impl Iterator<Item = SpriteView> + 'a {
        let kinds = 0..level.kinds.len() as TypeId;
        kinds.flat_map(move |kind| self.sprites_of(level, kind))
    }

    /// The sprites of one type in the order of creation.
    pub fn sprites_of<'a>(
        &'a self,
        level: &'a Level,
        kind: TypeId,
    ) -> impl Iterator<Item = SpriteView> + 'a {
        let all = level.fixed_group(kind).iter().chain(self.group(kind));
        all.map(move |&slot| self.view(level, slot))
    }

    /// The same without those that can never change.
    pub fn changing_sprites_of<'a>(
        &'a self,
        level: &'a Level,
        kind: TypeId,
    ) -> impl Iterator<Item = SpriteView> + 'a {
        let all = self.group(kind).iter();
        all.map(move |&slot| self.view(level, slot))
    }

    fn view(&self, level: &Level, slot: u16) -> SpriteView {
        let sprite = self.sprite(level, slot);
        let own_speed = self.own_speed(sprite);
        SpriteView {
            id: sprite.id,
            kind: sprite.kind,
            place: (sprite.x, sprite.y),
            size: (i32::from(sprite.w), i32::from(sprite.h)),
            orientation: self.vector(sprite.orientation),
            oriented: sprite.is(flag::ORIENTED),
            health: (sprite.health, sprite.max_health),
            disabled: sprite.is(flag::DISABLED),
            from_avatar: sprite.is(flag::FROM_AVATAR),
            own_speed,
            category: level.category(sprite),
            slot,
        }
    }

    /// The player's avatar, dead or alive.
    pub fn avatar_view(&self, level: &Level) -> Option<SpriteView> {
        (self.head.avatar != NONE).then(|| self.view(level, self.head.avatar))
    }

    /// What a sprite has of resources, by type.
    pub fn resources(&self, sprite: &SpriteView) -> impl Iterator<Item = (TypeId, i32)> + '_ {
        let slot = sprite.slot;
        let own = self
            .extras
            .stocks
            .iter()
            .filter(move |stock| stock.slot == slot);
        own.map(|stock| (stock.resource, stock.amount))
    }

    /// Counters of the game.
    pub fn counters(&self) -> &[i32] {
        &self.extras.counters
    }
}

impl Level {
    /// The sprites that can never change, in the order in which types are drawn.
    pub fn fixed_sprites(&self) -> impl Iterator<Item = SpriteView> + '_ {
        let kinds = self.game.order.iter();
        let own = kinds.flat_map(|&kind| self.fixed_group(kind));
        let shown = own.filter(|&&slot| {
            let kind = self.fixed[usize::from(slot)].kind;
            !self.game.types[usize::from(kind)].is_hidden()
        });
        shown.map(|&slot| State::default().view(self, slot))
    }

    /// What a sprite is for a player. (O-1)
    pub(crate) fn category(&self, sprite: &Sprite) -> Category {
        let fields = self.fields(sprite.kind);
        if fields.is_avatar {
            Category::Avatar
        } else if fields.is_resource {
            Category::Resource
        } else if fields.is_portal {
            Category::Portal
        } else if fields.is_npc {
            Category::Npc
        } else if fields.is_static {
            Category::Static
        } else if sprite.is(flag::FROM_AVATAR) {
            Category::FromAvatar
        } else {
            Category::Movable
        }
    }

    /// The cells that show a sprite, as columns and rows: none if its corner is outside. (O-6)
    pub fn shown_in(&self, sprite: &SpriteView) -> impl Iterator<Item = (i32, i32)> + use<> {
        let (x, y) = sprite.place;
        let (column, row) = (x / self.block, y / self.block);
        let (columns, rows) = (self.columns, self.rows);
        let inside = (0..columns).contains(&column) && (0..rows).contains(&row);
        let right = x % self.block > 0 && column + 1 < columns;
        let below = y % self.block > 0 && row + 1 < rows;
        let all = [
            (column, row, inside),
            (column + 1, row, inside && right),
            (column, row + 1, inside && below),
            (column + 1, row + 1, inside && right && below),
        ];
        all.into_iter()
            .filter(|cell| cell.2)
            .map(|cell| (cell.0, cell.1))
    }
}

/// Which types a player has seen in which category: a copy of a state begins with those that are
/// there. (O-2, O-3)
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// A bit for each category by type.
    categories: Vec<u8>,
}

impl Seen {
    /// What is seen when a state is looked at first.
    pub fn of(level: &Level, state: &State) -> Self {
        let mut categories = vec![0; level.kinds.len()];
        for sprite in state.sprites(level) {
            if !level.game.types[usize::from(sprite.kind)].is_hidden() {
                categories[usize::from(sprite.kind)] |= 1 << sprite.category as u8;
            }
        }
        Self { categories }
    }

    /// Adds types that have appeared, each by its first sprite.
    pub fn look(&mut self, level: &Level, state: &State) {
        for (kind, seen) in self.categories.iter_mut().enumerate() {
            if *seen != 0 || level.game.types[kind].is_hidden() {
                continue;
            }
            if let Some(first) = state.sprites_of(level, kind as TypeId).next() {
                *seen |= 1 << first.category as u8;
            }
        }
    }

    /// The sprites of a category by type, nearest to a place first; none if no type was ever seen
    /// in it. (O-2, O-4)
    pub fn list(
        &self,
        level: &Level,
        state: &State,
        category: Category,
        near: Option<(i32, i32)>,
    ) -> Option<Vec<Vec<SpriteView>>> {
        let kinds = 0..self.categories.len();
        let shown = kinds.filter(|&kind| self.categories[kind] & 1 << category as u8 != 0);
        let lists: Vec<Vec<SpriteView>> = shown
            .map(|kind| {
                let mut all: Vec<SpriteView> = state.sprites_of(level, kind as TypeId).collect();
                if let Some((x, y)) = near {
                    all.sort_by_key(|sprite| {
                        let (right, down) = (sprite.place.0 - x, sprite.place.1 - y);
                        i64::from(right).pow(2) + i64::from(down).pow(2)
                    });
                }
                all
            })
            .collect();
        (!lists.is_empty()).then_some(lists)
    }
}

/// The actions that a player may ask for, with doing nothing at the end; none when the game is
/// over. (O-8)
pub fn actions_with_nil(level: &Level, state: &State) -> &'static [Action] {
    if state.is_over() {
        return &[];
    }
    let class = state.avatar(level);
    let class = class.and_then(|avatar| level.kinds[usize::from(avatar.kind)].class);
    class.map_or(&[Action::Nil], Class::actions_with_nil)
}

impl Level {
    /// The types that a player may want to go to or keep away from: what acts by itself, what can
    /// be collected, what moves, and portals.
    pub fn kinds_of_interest(&self) -> Vec<TypeId> {
        let kinds = 0..self.kinds.len() as TypeId;
        kinds.filter(|&kind| self.is_of_interest(kind)).collect()
    }

    /// Whether a type is one of them.
    pub fn is_of_interest(&self, kind: TypeId) -> bool {
        let details = &self.game.types[usize::from(kind)];
        let fields = &details.fields;
        let stays = fields.is_static && !fields.is_portal && !fields.is_resource && !fields.is_npc;
        details.class.is_some() && !fields.is_avatar && !fields.hidden && !stays
    }

    /// The distance in blocks from the avatar to the nearest sprite of a type that the avatar did
    /// not make itself; none if there is no such sprite.
    pub fn distance_to(&self, state: &State, kind: TypeId) -> Option<f64> {
        let avatar = state.avatar(self)?;
        let own = self.fixed_group(kind).iter().chain(state.group(kind));
        let squares = own.filter_map(|&slot| {
            let sprite = state.sprite(self, slot);
            let (x, y) = (
                i64::from(sprite.x - avatar.x),
                i64::from(sprite.y - avatar.y),
            );
            (!sprite.is(flag::FROM_AVATAR)).then_some(x * x + y * y)
        });
        let nearest = squares.min()?;
        Some((nearest as f64).sqrt() / f64::from(self.block))
    }
}
