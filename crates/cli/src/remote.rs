//! Workers on other machines: the options that name them, and what they did.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use paidia_arena::Playable;
use paidia_arena::rules::Ruleset;
use paidia_reason::propnet::Propnet;
use paidia_server::workers::{RemoteRules, Token, WorkerReport, Workers};
use serde::Serialize;

use crate::{terminal, text};

/// Options for workers that make playouts.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct RemoteOptions {
    /// Workers elsewhere that make playouts, too, such as `10.0.0.7:9148,10.0.0.8:9148`; see
    /// `paidia worker`. Players that play many leaves at once use them
    #[arg(
        long,
        value_name = "ADDR:PORT",
        value_delimiter = ',',
        requires = "worker_token_file"
    )]
    workers: Vec<String>,

    /// The file with the secret that the workers know
    #[arg(long, value_name = "FILE", requires = "workers")]
    worker_token_file: Option<PathBuf>,
}

/// A game with its workers, if there are any.
pub(crate) struct Remote {
    pub(crate) playable: Playable<Propnet>,
    pub(crate) helpers: Helpers,
}

/// The workers of a game, of which there may be none.
#[derive(Clone, Default)]
pub(crate) struct Helpers {
    workers: Option<Workers>,
}

/// What a worker did, for reports.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct HelperReport {
    address: String,
    pub(crate) playouts: u64,
    problem: Option<String>,
}

impl RemoteOptions {
    /// The game with the workers that were named. Those that cannot be reached now are told of, and
    /// looked for later.
    pub(crate) fn join(
        &self,
        rules: &Ruleset,
        playable: &Playable<Propnet>,
    ) -> anyhow::Result<Remote> {
        let playable = playable.clone();
        let (Some(file), Some(local)) = (&self.worker_token_file, playable.leaves()) else {
            let helpers = Helpers::default();
            return Ok(Remote { playable, helpers });
        };
        let token = Token::read(file).with_context(|| format!("in {}", file.display()))?;
        let rules = RemoteRules {
            name: rules.name().to_owned(),
            text: rules.source().text.clone(),
            dialect: rules.gdl()?.dialect,
        };
        let workers = Workers::new(&playable.game, rules, &self.workers, token);
        for WorkerReport {
            address, problem, ..
        } in workers.check()
        {
            if let Some(problem) = problem {
                eprintln!("note: the worker at {address} does not help so far: {problem}");
            }
        }
        let source = workers.source(local.clone());
        Ok(Remote {
            playable: playable.with_leaves(source),
            helpers: Helpers {
                workers: Some(workers),
            },
        })
    }

    /// Says so where workers were named for an engine that has no use for them.
    pub(crate) fn do_without(&self) {
        if !self.workers.is_empty() {
            eprintln!("note: workers need rules that became a network; these are played without");
        }
    }
}

impl Helpers {
    /// What the workers did so far.
    pub(crate) fn report(&self) -> Vec<HelperReport> {
        let reports = self.workers.iter().flat_map(Workers::report);
        let report = |report: WorkerReport| HelperReport {
            address: report.address,
            playouts: report.playouts,
            problem: report.problem,
        };
        reports.map(report).collect()
    }

    /// Tells what the workers did so far, a line each.
    pub(crate) fn write(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let faint = terminal::FAINT;
        for HelperReport {
            address,
            playouts,
            problem,
        } in self.report()
        {
            let playouts = text::grouped(playouts.into());
            let problem = problem.map_or(String::new(), |problem| format!("; {problem}"));
            writeln!(
                out,
                "{faint}worker {address}: {playouts} playouts{problem}{faint:#}"
            )?;
        }
        Ok(())
    }
}
