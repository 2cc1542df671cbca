//! Gates that stand below the one gate they feed.
//!
//! A gate with one reader can stand at its reader's place in a word of its own, a *plane*. Then the
//! reader hears of it by looking at the plane as a whole, together with 63 neighbours, and a change
//! of the gate need not be propagated. Such a gate is said to *ride*. A plane costs a little in
//! every sweep, so there are planes only for gates that change often.

use super::order::{Order, Unit};
use super::profile::Profile;

/// Gates that change less often in a move do not ride.
const RIDING_RATE: f32 = 0.02;

/// A plane pays if its gates change so often in a move, all taken together.
const PLANE_RATE: f32 = 1.0;

/// How many gates may ride on each other.
const DEPTH: u8 = 32;

/// A gate and its bit in a word.
pub(super) type Seat = (usize, usize);

/// Which gates ride.
pub(super) struct Planes<'a> {
    order: &'a Order<'a>,
    profile: &'a Profile,
    /// For each node, how many gates ride below each other from its word down to it; 0 if it does
    /// not ride.
    depths: Vec<u8>,
}

impl<'a> Planes<'a> {
    /// Lets gates ride that can, except those that are barred.
    pub(super) fn new(order: &'a Order<'a>, profile: &'a Profile, barred: &[bool]) -> Self {
        let mut planes = Self {
            order,
            profile,
            depths: vec![0; order.uses.len()],
        };
        // Readers come after what they read.
        for unit in order.units.iter().rev() {
            if let Unit::Gate(gate) = unit {
                planes.look_below(*gate, barred);
            }
        }
        planes
    }

    fn look_below(&mut self, gate: usize, barred: &[bool]) {
        let depth = self.depths[gate] + 1;
        if self.order.demand[gate] == 0 || depth > DEPTH {
            return;
        }
        for wire in self.order.inputs(gate) {
            let node = wire.node();
            let alone = self.order.is_gate[node] && self.order.uses[node] == 1;
            if alone && !barred[node] && self.profile.rate(node) >= RIDING_RATE {
                self.depths[node] = depth;
            }
        }
    }

    /// Whether a node stands in a plane below its reader.
    pub(super) fn rides(&self, node: usize) -> bool {
        self.depths[node] > 0
    }

    /// The planes below gates of one word, each before those that it feeds: one with the busiest
    /// rider of each gate, one with the second, and so on.
    pub(super) fn below(&self, gates: &[Seat]) -> Vec<Vec<Seat>> {
        let mut planes = Vec::new();
        self.add_below(gates, &mut planes);
        planes
    }

    fn add_below(&self, gates: &[Seat], planes: &mut Vec<Vec<Seat>>) {
        let mut found: Vec<Vec<Seat>> = Vec::new();
        for &(bit, gate) in gates {
            for (number, rider) in self.riders(gate).into_iter().enumerate() {
                if found.len() == number {
                    found.push(Vec::new());
                }
                found[number].push((bit, rider));
            }
        }
        for plane in found {
            self.add_below(&plane, planes);
            planes.push(plane);
        }
    }

    /// Whether a plane costs more than it saves.
    pub(super) fn is_weak(&self, plane: &[Seat]) -> bool {
        let rates = plane.iter().map(|&(_, node)| self.profile.rate(node));
        rates.sum::<f32>() < PLANE_RATE
    }

    /// The gates that ride on a gate, the busiest first.
    fn riders(&self, gate: usize) -> Vec<usize> {
        let inputs = self.order.inputs(gate).iter().map(|wire| wire.node());
        let mut riders: Vec<usize> = inputs.filter(|&node| self.rides(node)).collect();
        let rate = |node: usize| self.profile.rate(node);
        riders.sort_by(|&one, &other| rate(other).total_cmp(&rate(one)));
        riders
    }
}
