//! Orientations and speeds as codes, and stocks of resources.

use super::{NONE, Sprite, State, Stock};
use crate::kind::TypeId;

/// Odd numbers at once; more than sprites can have two each of.
const MAX_NUMBERS: usize = 30_000;

impl State {
    /// The numbers of an orientation.
    #[inline]
    pub(crate) fn vector(&self, code: u16) -> (f64, f64) {
        match code {
            0 => (0.0, 0.0),
            1 => (0.0, -1.0),
            2 => (-1.0, 0.0),
            3 => (0.0, 1.0),
            4 => (1.0, 0.0),
            5 => (-1.0, -1.0),
            other => {
                let (x, y) = self.extras.numbers[usize::from(other) - 6];
                (f64::from_bits(x), f64::from_bits(y))
            }
        }
    }

    /// The code of an orientation; -0 counts as 0.
    pub(crate) fn code(&mut self, vector: (f64, f64)) -> u16 {
        match vector {
            (0.0, 0.0) => 0,
            (0.0, -1.0) => 1,
            (-1.0, 0.0) => 2,
            (0.0, 1.0) => 3,
            (1.0, 0.0) => 4,
            (-1.0, -1.0) => 5,
            (x, y) => 6 + self.number((x + 0.0).to_bits(), (y + 0.0).to_bits()),
        }
    }

    /// A speed, if it is not that of the type.
    #[inline]
    pub(crate) fn own_speed(&self, sprite: &Sprite) -> Option<f64> {
        let place = usize::from(sprite.speed).checked_sub(1)?;
        Some(f64::from_bits(self.extras.numbers[place].0))
    }

    pub(crate) fn speed_code(&mut self, speed: f64) -> u16 {
        1 + self.number((speed + 0.0).to_bits(), u64::MAX)
    }

    fn number(&mut self, x: u64, y: u64) -> u16 {
        let numbers = &mut self.extras.numbers;
        if let Some(place) = numbers.iter().position(|&other| other == (x, y)) {
            return place as u16;
        }
        if numbers.len() >= MAX_NUMBERS {
            self.collect_numbers();
        }
        self.extras.numbers.push((x, y));
        self.head.has_extras = true;
        (self.extras.numbers.len() - 1) as u16
    }

    /// Drops numbers that no sprite has any more.
    #[cold]
    fn collect_numbers(&mut self) {
        let old = std::mem::take(&mut self.extras.numbers);
        let mut places = vec![NONE; old.len()];
        let mut kept = Vec::new();
        let mut keep = |place: usize| {
            if places[place] == NONE {
                places[place] = kept.len() as u16;
                kept.push(old[place]);
            }
            places[place]
        };
        for sprite in &mut self.sprites {
            if sprite.orientation >= 6 {
                sprite.orientation = 6 + keep(usize::from(sprite.orientation) - 6);
            }
            if sprite.speed > 0 {
                sprite.speed = 1 + keep(usize::from(sprite.speed) - 1);
            }
        }
        self.extras.numbers = kept;
    }

    /// How much a sprite has of a resource, if it ever had any.
    pub(crate) fn stock(&self, slot: u16, resource: TypeId) -> Option<i32> {
        let stocks = &self.extras.stocks;
        let found = stocks
            .iter()
            .find(|stock| stock.slot == slot && stock.resource == resource);
        found.map(|stock| stock.amount)
    }

    /// Adds to a stock, which never falls below 0.
    pub(crate) fn give(&mut self, slot: u16, resource: TypeId, more: i32) {
        let stocks = &mut self.extras.stocks;
        let key = (slot, resource);
        match stocks.binary_search_by_key(&key, |stock| (stock.slot, stock.resource)) {
            Ok(place) => {
                let amount = &mut stocks[place].amount;
                *amount = amount.saturating_add(more).max(0);
            }
            Err(place) => {
                let stock = Stock {
                    slot,
                    resource,
                    amount: more.max(0),
                };
                stocks.insert(place, stock);
                self.head.has_extras = true;
            }
        }
    }
}
