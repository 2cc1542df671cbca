//! Brings operations of one kind together, so that an interpreter looks at the kind once for many
//! of them.
//!
//! Moving operations makes values wait longer, and memory beyond the cache costs more than a look
//! at a kind saves; so they are moved only within windows of the given order.

use std::collections::VecDeque;

use super::order::{Ordered, Step, Stretch};
use crate::program::Kind;

/// The kinds, for the queues of steps that could be next.
const KINDS: [Kind; 8] = [
    Kind::And,
    Kind::AndNot,
    Kind::Or,
    Kind::Xor,
    Kind::Not,
    Kind::Copy,
    Kind::Latch,
    Kind::Table,
];

/// No step of the window makes the value.
const NOWHERE: u32 = u32::MAX;

/// Groups the steps of all parts in windows of that many steps.
pub(super) fn group(ordered: &mut Ordered, window: usize) {
    // For each value, the step of the current window that makes it.
    let mut makers = vec![NOWHERE; ordered.values as usize];
    let parts = [
        &mut ordered.evaluate,
        &mut ordered.goals,
        &mut ordered.advance,
    ];
    for stretch in parts.into_iter().flatten().map(Stretch::steps_mut) {
        let windows = stretch.chunks(window.max(1));
        *stretch = windows
            .flat_map(|steps| group_window(steps, &mut makers))
            .collect();
    }
}

/// Takes, of the steps whose operands are there, the kind of which there are most, until there are
/// none of it; and again.
fn group_window(steps: &[Step], makers: &mut [u32]) -> Vec<Step> {
    for (place, step) in steps.iter().enumerate() {
        if step.kind != Kind::Latch {
            makers[step.value as usize] = place as u32;
        }
    }
    let mut waits = vec![0u8; steps.len()];
    let mut users = vec![Vec::new(); steps.len()];
    for (place, step) in steps.iter().enumerate() {
        for operand in step.operands {
            if makers[operand as usize] != NOWHERE {
                users[makers[operand as usize] as usize].push(place);
                waits[place] += 1;
            }
        }
    }
    let mut ready: [VecDeque<usize>; KINDS.len()] = Default::default();
    let queue = |step: &Step| step.kind as usize;
    for place in (0..steps.len()).filter(|&place| waits[place] == 0) {
        ready[queue(&steps[place])].push_back(place);
    }
    let mut grouped = Vec::with_capacity(steps.len());
    while grouped.len() < steps.len() {
        let most = (0..KINDS.len()).max_by_key(|&kind| ready[kind].len());
        let kind = most.unwrap_or(0);
        while let Some(place) = ready[kind].pop_front() {
            grouped.push(steps[place]);
            for &user in &users[place] {
                waits[user] -= 1;
                if waits[user] == 0 {
                    ready[queue(&steps[user])].push_back(user);
                }
            }
        }
    }
    steps
        .iter()
        .for_each(|step| makers[step.value as usize] = NOWHERE);
    grouped
}
