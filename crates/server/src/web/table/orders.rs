//! What people at a table may do.

use std::time::{Duration, Instant};

use paidia_game::{RoleId, Rules, find_move};
use serde_json::json;

use super::game::TableMatch;
use super::seat::Occupant;
use crate::web::keep::Line;
use crate::web::line::shortened;
use crate::web::person::Person;
use crate::web::refusal::Refusal;
use crate::web::tables::MoveOrder;

impl TableMatch {
    /// A move of a person.
    pub(super) fn make_move(
        &mut self,
        order: &MoveOrder,
        person: Option<&Person>,
    ) -> Result<(), Refusal> {
        self.check_open()?;
        let MoveOrder { ply, role, text } = order;
        let (ply, role) = (*ply, *role);
        self.check_person(role)?;
        self.check_own(role, person)?;
        let now = self.ply();
        if ply != now {
            return Err(Refusal::conflict(format!(
                "this is a move for ply {ply}, and the match is at ply {now}"
            )));
        }
        if let Some(late) = self.fallen(Instant::now()) {
            self.fall(late);
            return Err(Refusal::conflict("the time is up"));
        }
        let role_id = RoleId(role as u16);
        let id = find_move(self.game().moves(), self.played.legal(role_id), text);
        let Some(id) = id else {
            let name = self.game().facts().role_name(role_id);
            return Err(Refusal::conflict(format!(
                "`{}` is not legal for {name} here",
                shortened(text)
            )));
        };
        self.touched = Instant::now();
        self.choose(role_id, id);
        self.choose_the_obvious();
        self.tell_pending(role);
        if self.open_roles().next().is_none() {
            self.advance();
        }
        Ok(())
    }

    /// Refuses what comes after the table is closed or put away.
    fn check_there(&self) -> Result<(), Refusal> {
        match (self.away, self.closed) {
            (true, _) => Err(Refusal::busy("the table is being put away; ask again")),
            (_, true) => Err(Refusal::conflict("the table is closed")),
            _ => Ok(()),
        }
    }

    pub(super) fn check_open(&self) -> Result<(), Refusal> {
        self.check_there()?;
        match self.last().ended.is_some() {
            true => Err(Refusal::conflict("the match is over")),
            false => Ok(()),
        }
    }

    pub(super) fn check_person(&self, role: usize) -> Result<(), Refusal> {
        match self.seats.get(role) {
            Some(Occupant::Human) => Ok(()),
            Some(_) => Err(Refusal::conflict("no person has this role")),
            None => Err(Refusal::conflict("there is no such role")),
        }
    }

    /// Drops what came after the first `to` joint moves.
    pub(super) fn take_back(&mut self, to: usize) -> Result<(), Refusal> {
        self.check_there()?;
        let now = self.ply();
        if to > now {
            return Err(Refusal::conflict(format!(
                "the match is at ply {now}; there is no ply {to} to go back to"
            )));
        }
        if self.hides() && self.has_people() && now > 0 {
            return Err(Refusal::conflict(
                "this game hides things from those who play: what was seen cannot be taken back",
            ));
        }
        self.start_over();
        self.go_back(to);
        self.tell_frame();
        Ok(())
    }

    /// Lets others sit here.
    pub(super) fn set_seats(
        &mut self,
        seats: Vec<Occupant>,
        seconds: Option<Duration>,
        person: Option<&Person>,
    ) -> Result<(), Refusal> {
        self.check_there()?;
        let people = |seats: &[Occupant]| -> Vec<bool> {
            let is_person = |seat: &Occupant| *seat == Occupant::Human;
            seats.iter().map(is_person).collect()
        };
        if self.hides() && self.ply() > 0 && people(&seats) != people(&self.seats) {
            return Err(Refusal::conflict(
                "this game hides things from those who play: after the first move no person takes or leaves a role",
            ));
        }
        self.check_leaving(&seats, person)?;
        self.start_over();
        self.seats = seats;
        let left = self.free_roles();
        self.seconds = seconds.unwrap_or(self.seconds);
        let told = json!({"seats": self.seat_names(), "seconds": self.seconds.as_secs_f64(),
            "taken": self.taken()});
        self.journal.note(&Line::Seats {
            seats: self.seat_names(),
            seconds: self.seconds.as_secs_f64(),
        });
        self.tell_all("seats", &told);
        if self.hides() && self.ply() == 0 {
            self.look_for_people();
            self.tell_snapshot();
        }
        self.hang_up(&left);
        Ok(())
    }

    /// Stops players, or lets them go on.
    pub(super) fn set_paused(&mut self, paused: bool) -> Result<(), Refusal> {
        self.check_open()?;
        self.look_at_clocks(Instant::now());
        (self.paused, self.steps) = (paused, 0);
        self.tell_pace();
        self.tell_clocks();
        Ok(())
    }

    /// Sets the least time between two moves where no person is asked.
    pub(super) fn set_pace(&mut self, pace: Duration) -> Result<(), Refusal> {
        self.check_open()?;
        self.pace = pace;
        self.tell_pace();
        Ok(())
    }

    fn tell_pace(&mut self) {
        self.touched = Instant::now();
        let told = json!({"paused": self.paused, "pace": self.pace.as_secs_f64()});
        self.journal.note(&Line::Pace {
            pace: self.pace.as_secs_f64(),
            paused: self.paused,
        });
        self.tell_all("paused", &told);
    }

    /// Lets players make one move while they are stopped.
    pub(super) fn step(&mut self) -> Result<(), Refusal> {
        self.check_open()?;
        if !self.paused {
            return Err(Refusal::conflict(
                "pause the match first, then go step by step",
            ));
        }
        self.touched = Instant::now();
        self.steps = 1;
        Ok(())
    }

    /// A person gives up.
    pub(super) fn resign(&mut self, role: usize, person: Option<&Person>) -> Result<(), Refusal> {
        self.check_open()?;
        self.check_person(role)?;
        self.check_own(role, person)?;
        self.start_over();
        let name = self
            .game()
            .facts()
            .role_name(RoleId(role as u16))
            .to_owned();
        self.end(&format!("resigned {name}"));
        self.tell_frame();
        Ok(())
    }

    /// Stops without an end.
    pub(super) fn put_away(&mut self) {
        self.start_over();
        // What was done so far is on disk; what comes now is no longer this table's.
        self.journal.leave();
        self.away = true;
    }

    /// Ends everything here.
    pub(super) fn close(&mut self) {
        self.start_over();
        self.closed = true;
    }
}
