//! A tournament that is ready to be played: its games loaded, its matches planned.

use anyhow::bail;
use paidia_arena::contest::ContestGames;
use paidia_arena::rules::Ruleset;
use paidia_arena::tournament::{Plan, Tournament};
use paidia_server::database::{Definition, GameDefinition};

use crate::engine::{EngineChoice, NetworkOptions};

/// How long a worker may take to make rules a network that became one where the tournament was
/// begun: it may be a slower machine.
const PATIENCE: f64 = 120.0;

/// A tournament that is ready to be played.
pub(crate) struct PlannedTournament {
    pub(crate) tournament: Tournament,
    pub(crate) plan: Plan,
    pub(crate) tables: ContestGames,
}

impl PlannedTournament {
    /// A tournament by its file: with the rules and the engines of its games, which workers on
    /// other machines need.
    pub(crate) fn of_file(
        name: &str,
        file: &str,
        engine: &EngineChoice,
    ) -> anyhow::Result<(Self, Vec<GameDefinition>)> {
        let tournament = Tournament::parse(name, file)?;
        // All rules are read before any is loaded, which may take long.
        let mut rules = Vec::new();
        for game in &tournament.games {
            rules.push((game, Ruleset::find(game)?));
        }
        let mut tables = ContestGames::new();
        let mut games = Vec::new();
        for (game, rules) in rules {
            let (table, engine) = engine.contest_table(&rules)?;
            tables.insert(game.clone(), table);
            games.push(GameDefinition {
                name: game.clone(),
                rules: rules.source().text.clone(),
                engine,
            });
        }
        let plan = Plan::new(&tournament, &tables)?;
        plan.try_players(&tables)?;
        let event = Self {
            tournament,
            plan,
            tables,
        };
        Ok((event, games))
    }

    /// A tournament that another process began.
    pub(crate) fn of_definition(definition: &Definition) -> anyhow::Result<Self> {
        let (theirs, ours) = (&definition.program, env!("CARGO_PKG_VERSION"));
        if theirs != ours {
            bail!("it is played with version {theirs} of the program, and this is {ours}");
        }
        let tournament = Tournament::parse(&definition.name, &definition.file)?;
        let mut tables = ContestGames::new();
        for GameDefinition {
            name,
            rules,
            engine,
        } in &definition.games
        {
            let engine = EngineChoice {
                engine: engine.parse()?,
                network: NetworkOptions {
                    without: Vec::new(),
                    grounding_seconds: PATIENCE,
                },
            };
            let rules = Ruleset::from_text(name, rules)?;
            tables.insert(name.clone(), engine.contest_table(&rules)?.0);
        }
        let plan = Plan::new(&tournament, &tables)?;
        plan.try_players(&tables)?;
        Ok(Self {
            tournament,
            plan,
            tables,
        })
    }

    /// How many matches are played at a time by default: by the clock, one, since more would
    /// disturb each other.
    pub(crate) fn usual_jobs(&self) -> usize {
        if self.plan.is_timed() {
            return 1;
        }
        std::thread::available_parallelism().map_or(1, usize::from)
    }
}
