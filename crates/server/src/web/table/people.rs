//! Which person has which role.
//!
//! A role of a person is free until a person sits down there, with a key; then it is theirs. Where
//! a game hides things, only the person who has a role moves for it and sees what it may know.

use hyper::StatusCode;

use super::game::TableMatch;
use super::seat::Occupant;
use crate::web::events::HANG_UP;
use crate::web::keep::Line;
use crate::web::person::Person;
use crate::web::refusal::Refusal;

impl TableMatch {
    /// Lets a person have a role from now on.
    pub(super) fn sit(&mut self, role: usize, person: Option<&Person>) -> Result<(), Refusal> {
        self.check_open()?;
        self.check_person(role)?;
        let Some(person) = person else {
            return Err(Refusal::bad(
                "a person who sits down sends a key in the header x-paidia-person",
            ));
        };
        match &self.people[role] {
            Some(own) if own == person => {}
            Some(_) => return Err(taken()),
            None => {
                self.journal.note(&Line::Sat {
                    role,
                    person: person.clone(),
                });
                self.people[role] = Some(person.clone());
                self.tell_all("taken", &serde_json::json!({"taken": self.taken()}));
            }
        }
        Ok(())
    }

    /// The roles that a person has.
    pub(super) fn taken(&self) -> Vec<usize> {
        let is_taken = |&role: &usize| self.people[role].is_some();
        (0..self.people.len()).filter(is_taken).collect()
    }

    /// Refuses what another person than that of this role asks for it.
    pub(super) fn check_own(&self, role: usize, person: Option<&Person>) -> Result<(), Refusal> {
        match &self.people[role] {
            Some(own) if Some(own) == person => Ok(()),
            Some(_) => Err(taken()),
            None if self.hides() => Err(Refusal::new(
                StatusCode::FORBIDDEN,
                "this game hides things from those who play: sit down in this role first",
            )),
            None => Ok(()),
        }
    }

    /// Refuses to show what a role knows to others, as long as that is secret.
    pub(super) fn check_view(
        &self,
        role: Option<usize>,
        person: Option<&Person>,
    ) -> Result<(), Refusal> {
        let is_person = |role: &usize| self.seats.get(*role) == Some(&Occupant::Human);
        match role.filter(is_person) {
            Some(role) if self.is_secret() => self.check_own(role, person),
            _ => Ok(()),
        }
    }

    /// Refuses new seats by which a person would lose a role to the order of another.
    pub(super) fn check_leaving(
        &self,
        seats: &[Occupant],
        person: Option<&Person>,
    ) -> Result<(), Refusal> {
        let mut leaving = seats.iter().zip(&self.people);
        let is_taken = leaving.any(|(seat, own)| {
            *seat != Occupant::Human && own.as_ref().is_some_and(|own| Some(own) != person)
        });
        match is_taken {
            true => Err(taken()),
            false => Ok(()),
        }
    }

    /// Frees the roles that are no person's any more: which these were.
    pub(super) fn free_roles(&mut self) -> Vec<usize> {
        let left = |role: &usize| self.seats[*role] != Occupant::Human;
        let left: Vec<usize> = self.taken().into_iter().filter(left).collect();
        for &role in &left {
            self.people[role] = None;
        }
        left
    }

    /// Ends the streams of those who listened for these roles, where these are streams of their
    /// own.
    pub(super) fn hang_up(&mut self, roles: &[usize]) {
        if self.hides() {
            self.news.extend(roles.iter().map(|&role| (role, HANG_UP)));
        }
    }
}

fn taken() -> Refusal {
    Refusal::new(
        StatusCode::FORBIDDEN,
        "another person has this role; it can only be played from where it was taken",
    )
}
