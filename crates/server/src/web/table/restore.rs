//! A match that goes on after a restart: what its journal tells is done again, in the same order,
//! so that chance has drawn as often as it had then.

use std::time::Duration;

use super::game::{Recording, TableMatch};
use super::seat::read_seats;
use crate::web::Limits;
use crate::web::keep::{Left, Line, MadeLine};
use crate::web::line;
use crate::web::refusal::Refusal;

impl TableMatch {
    /// Does what a journal tells; the match must not have one of its own yet.
    ///
    /// # Errors
    /// If the rules are not those that were played by.
    pub(super) fn restore(
        &mut self,
        left: &Left,
        limits: &Limits,
        longest: usize,
    ) -> Result<(), Refusal> {
        for line in &left.lines {
            match line {
                Line::Open(_) => {}
                Line::Made(made) => self.make_again(made, longest)?,
                Line::Back(to) => {
                    if *to > self.ply() {
                        return Err(Refusal::unusable("the journal of this table is damaged"));
                    }
                    self.start_over();
                    self.go_back(*to);
                }
                Line::Seats { seats, seconds } => {
                    self.seats = read_seats(self.game(), seats, limits)?;
                    self.seconds = duration(*seconds)?;
                    drop(self.free_roles());
                    if self.hides() && self.ply() == 0 {
                        self.look_for_people();
                    }
                }
                Line::Sat { role, person } => match self.people.get_mut(*role) {
                    Some(own) => *own = Some(person.clone()),
                    None => return Err(Refusal::unusable("the journal of this table is damaged")),
                },
                Line::Pace { pace, paused } => {
                    (self.pace, self.paused) = (duration(*pace)?, *paused);
                }
                Line::Ended(why) => self.end(why),
                Line::Recorded(id) => self.recording = Recording::Done(Ok(id.clone())),
            }
        }
        Ok(())
    }

    fn make_again(&mut self, made: &MadeLine, longest: usize) -> Result<(), Refusal> {
        line::check_length(self.ply() + 1, longest)?;
        line::make(&mut self.played, &made.joint)?;
        self.decisions.clone_from(&made.by);
        self.decisions.resize(self.seats.len(), None);
        self.arrive();
        self.restore_clocks(made.clock.as_deref());
        self.decisions = vec![None; self.seats.len()];
        let again = self.frames.last_mut().and_then(|frame| frame.made.as_mut());
        if let Some(again) = again.filter(|_| made.failures.len() == made.joint.len()) {
            again.failures.clone_from(&made.failures);
        }
        Ok(())
    }
}

fn duration(seconds: f64) -> Result<Duration, Refusal> {
    let read = Duration::try_from_secs_f64(seconds);
    read.map_err(|_| Refusal::unusable("the journal of this table is damaged"))
}
