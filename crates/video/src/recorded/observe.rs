//! What an agent sees, in the form of the recordings. (Y-7)

use serde_json::{Map, Value, json};

use crate::level::Level;
use crate::state::State;
use crate::tick::Event;
use crate::view::{Category, Seen, actions_with_nil};

/// The grid of an agent: numbers of sprites by cell, in the order in which they came.
#[derive(Clone, Debug, Default)]
pub(super) struct Grid {
    cells: Vec<Vec<u32>>,
}

impl Grid {
    /// The grid of a fresh copy: types by number, sprites by creation. (O-6)
    pub(super) fn of(level: &Level, state: &State) -> Self {
        let (columns, rows) = level.size();
        let mut cells = vec![Vec::new(); (columns * rows) as usize];
        for sprite in state.sprites(level) {
            if level.game.types[usize::from(sprite.kind)].is_hidden() {
                continue;
            }
            for (column, row) in level.shown_in(&sprite) {
                cells[(column * rows + row) as usize].push(sprite.id);
            }
        }
        Self { cells }
    }

    /// Follows an advance: what is gone leaves, what moved or came is added, types in reverse
    /// order.
    pub(super) fn follow(&mut self, level: &Level, before: &State, after: &State) {
        let (_, rows) = level.size();
        let all_before: Vec<_> = before.sprites(level).collect();
        let all_after: Vec<_> = after.sprites(level).collect();
        for sprite in &all_before {
            if !all_after.iter().any(|other| other.id == sprite.id) {
                for cell in &mut self.cells {
                    cell.retain(|&id| id != sprite.id);
                }
            }
        }
        for &kind in level.game.order.iter().rev() {
            for sprite in after.sprites_of(level, kind) {
                let old = all_before.iter().find(|other| other.id == sprite.id);
                let stays = old.is_some_and(|old| old.place == sprite.place);
                // Hidden sprites are left out of a fresh copy and come in with the first advance.
                let listed = self.cells.iter().any(|cell| cell.contains(&sprite.id));
                if stays && (listed || level.shown_in(&sprite).next().is_none()) {
                    continue;
                }
                for cell in &mut self.cells {
                    cell.retain(|&id| id != sprite.id);
                }
                for (column, row) in level.shown_in(&sprite) {
                    self.cells[(column * rows + row) as usize].push(sprite.id);
                }
            }
        }
    }

    fn json(&self, level: &Level) -> Value {
        let (_, rows) = level.size();
        let filled = self
            .cells
            .iter()
            .enumerate()
            .filter(|(_, cell)| !cell.is_empty());
        let cells: Vec<Value> = filled
            .map(|(place, cell)| {
                let (column, row) = (place as i32 / rows, place as i32 % rows);
                let mut all = vec![json!(column), json!(row)];
                all.extend(cell.iter().map(|id| json!(id)));
                Value::Array(all)
            })
            .collect();
        Value::Array(cells)
    }
}

/// Events as the original's set has them: ordered, without equal ones. (O-9)
fn history(events: &[Event]) -> Vec<Event> {
    let key = |event: &Event| (event.tick, !event.from_avatar, event.passive, event.active);
    let mut kept: Vec<Event> = Vec::new();
    for event in events {
        if !kept.iter().any(|other| key(other) == key(event)) {
            kept.push(*event);
        }
    }
    kept.sort_by_key(key);
    kept
}

/// What an agent sees, with the fields that a recording has.
pub(super) fn observation(
    level: &Level,
    state: &State,
    seen: &Seen,
    grid: &Grid,
    events: &[Event],
    recorded: &Value,
) -> Result<Value, String> {
    let avatar = state.avatar_view(level).ok_or("the avatar is gone")?;
    let place = if state.is_over() {
        (-1, -1)
    } else {
        avatar.place
    };
    let list = |category| {
        let lists = seen.list(level, state, category, Some(place));
        lists.map_or(Value::Null, |lists| {
            let ids = lists
                .iter()
                .map(|list| list.iter().map(|sprite| sprite.id).collect());
            json!(ids.collect::<Vec<Vec<u32>>>())
        })
    };
    let actions: Vec<&str> = actions_with_nil(level, state)
        .iter()
        .map(|action| action.name())
        .collect();
    let events = history(events);
    let last: Vec<Value> = events[events.len().saturating_sub(12)..]
        .iter()
        .map(|event| {
            json!([
                event.tick,
                i32::from(event.from_avatar),
                event.active,
                event.passive,
                event.active_id,
                event.passive_id,
                event.place.0,
                event.place.1
            ])
        })
        .collect();
    let mut own = Map::new();
    own.insert("tick".to_owned(), json!(state.tick()));
    own.insert("over".to_owned(), json!(state.is_over()));
    own.insert("pos".to_owned(), json!([place.0, place.1]));
    own.insert("acts".to_owned(), json!(actions));
    own.insert("npc".to_owned(), list(Category::Npc));
    own.insert("imm".to_owned(), list(Category::Static));
    own.insert("mov".to_owned(), list(Category::Movable));
    own.insert("resrc".to_owned(), list(Category::Resource));
    own.insert("port".to_owned(), list(Category::Portal));
    own.insert("fav".to_owned(), list(Category::FromAvatar));
    own.insert("events".to_owned(), Value::Array(last));
    own.insert("nev".to_owned(), json!(events.len()));
    if recorded.get("grid").is_some() {
        own.insert("grid".to_owned(), grid.json(level));
    }
    Ok(Value::Object(own))
}
