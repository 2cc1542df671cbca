//! Players made for hidden information where a match comes in words: on the page, and from GGP
//! hosts. They are told their own moves and percepts, and never a state.

use std::sync::atomic::AtomicBool;

use paidia_game::{Game, Information, MoveId, PerceptId, PerceptTable, RoleId, Sight};
use paidia_search::belief::Told;
use paidia_search::{Budget, Decision, Player};

use crate::catalogue::goes_by_history;
use crate::playable::Playable;
use crate::spec::{BadPlayer, PlayerSpec};

/// A player that goes by everything its role was told.
pub struct ToldPlayer<G: Game> {
    playable: Playable<G>,
    spec: PlayerSpec,
    role: RoleId,
    seed: u64,
    player: Box<dyn Player<G>>,
    /// What it was told so far.
    told: Vec<Told>,
    /// Whether it was told that the match begins.
    has_begun: bool,
}

impl<G: Game> ToldPlayer<G> {
    /// A player for a role; none where the game hides nothing, or the player is asked about states.
    ///
    /// # Errors
    /// If there is no such player.
    pub fn new(
        spec: &PlayerSpec,
        playable: &Playable<G>,
        role: RoleId,
        seed: u64,
    ) -> Result<Option<Self>, BadPlayer> {
        let hides = playable.game.facts().information == Information::Hidden;
        if !hides || !goes_by_history(spec) {
            return Ok(None);
        }
        Ok(Some(Self {
            player: playable.player(spec, role, seed)?,
            playable: playable.clone(),
            spec: spec.clone(),
            role,
            seed,
            told: Vec::new(),
            has_begun: false,
        }))
    }

    /// Uses the time before the first move.
    pub fn prepare(&mut self, budget: Budget) {
        self.begin();
        self.player.prepare(budget);
    }

    fn begin(&mut self) {
        if !std::mem::replace(&mut self.has_begun, true) {
            let nothing = Sight::Own {
                made: None,
                percepts: &[],
            };
            self.player.observe(&nothing);
        }
    }

    /// Tells it of all joint moves since the start, of which it may know some. What it knows of
    /// another match is forgotten.
    ///
    /// # Errors
    /// If there is no such player any more.
    pub fn tell(&mut self, told: &[Told]) -> Result<(), BadPlayer> {
        if !told.starts_with(&self.told) {
            self.player = self.playable.player(&self.spec, self.role, self.seed)?;
            self.told.clear();
            self.has_begun = false;
        }
        self.begin();
        for told in &told[self.told.len()..] {
            self.see(told);
        }
        self.told = told.to_vec();
        Ok(())
    }

    fn see(&mut self, told: &Told) {
        let game = &self.playable.game;
        let mut percepts: Vec<PerceptId> = told
            .percepts()
            .iter()
            .filter_map(|text| percept(game.percepts(), text))
            .collect();
        game.percepts().sort(&mut percepts);
        // A move that no state could have had is as if nothing was known of it.
        let Some(made) = game.moves().find(told.made()) else {
            return;
        };
        self.player.observe(&Sight::Own {
            made: Some(made),
            percepts: &percepts,
        });
    }

    /// Chooses one of the legal moves.
    pub fn choose(&mut self, legal: &[MoveId], budget: Budget, interrupt: &AtomicBool) -> Decision {
        self.begin();
        self.player.choose(legal, budget, interrupt)
    }
}

/// A percept by its text in any case.
fn percept(table: &PerceptTable, text: &str) -> Option<PerceptId> {
    table.find(text).or_else(|| {
        let names = table.to_vec();
        let name = names.iter().find(|name| name.eq_ignore_ascii_case(text))?;
        table.find(name)
    })
}
