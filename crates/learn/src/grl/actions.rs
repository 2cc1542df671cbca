//! Moves as traces of actions.

use super::locm::Event;
use super::scene::{Does, Micro, Scene};
use super::watch::Sight;

/// The action of a step made by a kind of pieces; the piece that is added appears.
pub(super) fn action(does: Does, kind: u8) -> String {
    let verb = match does {
        Does::Empty => "move",
        Does::Opponent => "take",
        Does::Own => "pass",
        Does::Adds => "appear",
        Does::Removes => "remove",
    };
    format!("{verb}_{}", char::from(kind.to_ascii_lowercase()))
}

/// The action of a step with a piece in hand, and after it.
pub(super) fn event(micro: Micro, kinds: [u8; 2], squares: [usize; 2]) -> Event {
    let (kind, objects) = match micro.does {
        Does::Adds => (kinds[1], vec![squares[1]]),
        Does::Removes => (kinds[0], vec![squares[1]]),
        Does::Empty | Does::Opponent | Does::Own => (kinds[0], squares.to_vec()),
    };
    Event {
        action: action(micro.does, kind),
        objects,
    }
}

/// The traces of the moves that were seen to begin with a kind of pieces, by its upper case letter.
pub fn traces(seen: &[Sight], kind: u8) -> Vec<Vec<Event>> {
    let mut traces = Vec::new();
    for sight in seen {
        for record in &sight.records {
            if sight.scene.board[record.from].eq_ignore_ascii_case(&kind) {
                traces.extend(trace(&sight.scene, record));
            }
        }
    }
    traces
}

fn trace(scene: &Scene, record: &super::Record) -> Option<Vec<Event>> {
    let mut hand = scene.lift(record.from)?;
    let mut trace = Vec::new();
    for &micro in &record.steps {
        let next = scene.step(&hand, micro)?;
        let (kinds, squares) = ([hand.piece, next.piece], [hand.square, next.square]);
        trace.push(event(micro, kinds, squares));
        hand = next;
    }
    Some(trace)
}
