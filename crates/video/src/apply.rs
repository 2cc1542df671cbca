//! What effects do. (section 16)

mod creating;
mod holding;
mod killing;
mod position;
mod transforming;

use crate::effect::Operation as O;
use crate::state::{NONE, flag};
use crate::tick::Run;
use crate::turns::DIRECTIONS;

/// Whether the score of an effect applies after it ran. (E-8)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Applies,
    Silent,
    /// The score of a killing blow applies instead.
    Killing,
}

impl From<bool> for Outcome {
    fn from(applies: bool) -> Self {
        if applies {
            Outcome::Applies
        } else {
            Outcome::Silent
        }
    }
}

/// Effects that need no sprite at all.
fn needs_none(operation: O) -> bool {
    matches!(
        operation,
        O::UndoAll
            | O::KillAll
            | O::TransformToAll
            | O::SetSpeedForAll
            | O::IncreaseSpeedToAll
            | O::DecreaseSpeedToAll
            | O::AddTimer
            | O::RemoveScore
            | O::SubtractHealthPoints
            | O::UpdateSpawnType
    )
}

/// Effects that need the second sprite.
fn needs_second(operation: O) -> bool {
    matches!(
        operation,
        O::BounceForward
            | O::PullWithIt
            | O::TeleportToExit
            | O::Align
            | O::AttractGaze
            | O::KillBoth
            | O::KillIfAlive
            | O::KillIfOtherHasMore
            | O::KillIfFromAbove
            | O::KillIfFrontal
            | O::KillIfNotFrontal
            | O::KillIfFast
            | O::KillIfSlow
            | O::SpawnBehind
            | O::SpawnAbove
            | O::SpawnBelow
            | O::SpawnLeft
            | O::SpawnRight
            | O::CollectResource
            | O::CollectResourceIfHeld
            | O::WallStop
    )
}

impl Run<'_> {
    /// Runs an effect. A missing sprite makes it do nothing.
    pub(crate) fn apply(&mut self, place: u16, first: u16, second: u16) -> Outcome {
        let level = self.level;
        let effect = &level.game.effects[usize::from(place)];
        let operation = effect.operation;
        if (first == NONE && !needs_none(operation)) || (second == NONE && needs_second(operation))
        {
            return Outcome::Applies;
        }
        match operation {
            O::StepBack => self.step_back(effect, first, second),
            O::UndoAll => self.undo_all(effect),
            O::BounceForward => self.bounce_forward(first, second),
            O::PullWithIt => self.pull_with_it(effect, place, first, second),
            O::TurnAround => self.turn_around(first),
            O::WrapAround => self.wrap_around(effect, first),
            O::TeleportToExit => self.teleport(first, second),
            O::Align => self.align(effect, first, second),
            O::AttractGaze => self.attract_gaze(effect, first, second),
            O::ReverseDirection => self.reverse(first),
            O::FlipDirection => {
                let direction = DIRECTIONS[self.random.below(4) as usize];
                self.sprite_mut(first).orientation = direction;
            }
            O::WallStop => self.wall_stop(first, second),
            O::KillSprite => self.kill(first, false),
            O::KillBoth => {
                self.kill(first, false);
                self.kill(second, false);
            }
            O::KillAll => self.kill_all(effect.stype),
            O::KillIfAlive => {
                if !self.sprite(second).is(flag::KILLED) {
                    self.kill(first, false);
                }
            }
            O::KillIfFast | O::KillIfSlow => self.kill_by_speed(effect, first, second),
            O::KillIfHasMore
            | O::KillIfHasLess
            | O::KillIfOtherHasMore
            | O::KillIfFromAbove
            | O::KillIfFrontal
            | O::KillIfNotFrontal => return self.kill_if(effect, first, second),
            O::TransformTo => self.transform_to(effect, first, second),
            O::TransformToAll => self.transform_to_all(effect, second),
            O::TransformIfCount => return self.transform_if_count(effect, first, second),
            O::TransformToRandomChild => self.transform_to_child(effect, first, second),
            O::TransformToSingleton => self.transform_to_singleton(effect, first, second),
            O::Spawn | O::SpawnIfHasMore | O::SpawnIfHasLess => {
                return self.spawn_at(effect, first);
            }
            O::SpawnBehind | O::SpawnAbove | O::SpawnBelow | O::SpawnLeft | O::SpawnRight => {
                self.spawn_beside(effect, second);
            }
            O::SpawnIfCounterSubTypes => return self.spawn_if_counter(effect, first),
            O::CloneSprite => {
                let sprite = *self.sprite(first);
                self.create(sprite.kind, sprite.x, sprite.y, false);
            }
            O::CollectResource => return self.collect(effect, place, first, second),
            O::CollectResourceIfHeld => return self.collect_if_held(effect, place, first, second),
            O::ChangeResource => return self.change_resource(effect, first, second),
            O::AddHealthPoints => return self.add_health(effect, first, second),
            O::AddHealthPointsToMax => self.add_health_to_max(effect, first, second),
            O::SubtractHealthPoints => return self.subtract_health(effect, first),
            O::RemoveScore => self.remove_score(effect, first, second),
            O::SetSpeedForAll | O::IncreaseSpeedToAll | O::DecreaseSpeedToAll => {
                self.change_speeds(effect);
            }
            O::HalfSpeed => {
                let speed = self.speed(self.sprite(first)) / 2.0;
                self.set_speed(first, speed);
            }
            // Gravity matters in continuous physics only.
            O::WaterPhysics => {}
            O::UpdateSpawnType => self.update_spawns(effect, second),
            O::ShieldFrom => {
                if let Some(operation) = effect.function {
                    self.shield(self.sprite(first).kind, effect.stype, operation);
                }
            }
            O::AddTimer => self.start_timer(effect),
        }
        Outcome::Applies
    }
}
