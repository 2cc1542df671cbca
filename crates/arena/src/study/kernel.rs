//! The kernel of all studies: what is to be done, doing what is missing, and summing up.
//!
//! An [`Experiment`], a kind of study, says what its trials are, makes one, and turns records into
//! figures and claims into findings. Everything else is here and is the same for all kinds: an
//! agenda of trials, each with a fingerprint; a [`Ledger`] to which each finished trial is appended
//! at once; a run that makes the trials that the ledger does not have, several at a time; and a
//! [`Report`].

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::claims::{Finding, Judgement};
use super::error::StudyError;
use super::front::{Front, Run, Scale, check_numbers};
use super::ledger::{EndNote, Ledger, Record, RunNote};
use super::machine;
use super::measurements::Contender;
use super::report::{Heading, Report};
use super::trials;
use crate::contest::ContestGame;
use crate::plot::{Plot, Rates};
use crate::table::with_interval;

/// A kind of study, read from a file.
pub trait Experiment: DeserializeOwned + Send + Sync {
    /// What trials are called: `games`.
    const TRIALS: &'static str;
    /// What a cell is called: `pairing`.
    const CELL: &'static str;

    /// One piece of work: a cell and a seed.
    type Trial: Sync;
    /// What is written down of a trial.
    type Record: Record;
    /// What all threads share while they make trials.
    type Ready: Sync;
    /// What came out, as `--json` shows it.
    type Figures: Serialize;

    /// What the study is.
    fn front(&self) -> &Front;

    /// The same, to be completed.
    fn front_mut(&mut self) -> &mut Front;

    /// Whether the data makes sense.
    ///
    /// # Errors
    /// If it does not, with the place.
    fn check(&self) -> Result<(), StudyError>;

    /// What the study is about: its games, and how many cells and claims there are.
    fn contents(&self) -> Contents;

    /// Takes the names of all bundled games, if the study wants them all.
    fn take_bundled(&mut self, _names: &[String]) {}

    /// All trials of the study proper, in the order in which they are made.
    ///
    /// # Errors
    /// If the study does not have the scale.
    fn agenda(&self, run: Run) -> Result<Vec<Self::Trial>, StudyError>;

    /// What is done in a stage, and what its trials are called. A study may need the results of
    /// one stage to know the trials of the next; most have one.
    ///
    /// # Errors
    /// If the study does not have the scale.
    fn stage(
        &self,
        run: Run,
        number: usize,
        _ledger: &Ledger<Self::Record>,
    ) -> Result<Option<Stage<Self>>, StudyError> {
        let stage = || Ok((Self::TRIALS, self.agenda(run)?));
        (number == 0).then(stage).transpose()
    }

    /// A text for everything that matters about a trial: those with the same one are the same.
    fn fingerprint(trial: &Self::Trial) -> String;

    /// Makes ready whatever the missing trials need, and checks that they can be made.
    ///
    /// # Errors
    /// If they cannot.
    fn prepare(
        &self,
        missing: &[Self::Trial],
        equipment: &dyn Equipment,
    ) -> Result<Self::Ready, StudyError>;

    /// The missing trials in lots; a lot is made by one thread, in its order.
    fn lots(missing: Vec<Self::Trial>) -> Vec<Vec<Self::Trial>> {
        missing.into_iter().map(|trial| vec![trial]).collect()
    }

    /// How many lots may be made at a time.
    fn jobs(wanted: usize) -> usize {
        wanted
    }

    /// Makes the trials of a lot, and adds the record of each when it is there.
    ///
    /// # Errors
    /// If a trial cannot be made at all, or a record cannot be added.
    fn make(
        &self,
        bench: &Bench<'_, Self>,
        lot: &[Self::Trial],
        add: &mut dyn FnMut(Self::Record) -> Result<(), StudyError>,
    ) -> Result<(), StudyError>;

    /// What the ledger tells of the study.
    ///
    /// # Errors
    /// If the study does not have the scale, or needs another ledger that cannot be read.
    fn figures(&self, run: Run, ledger: &Ledger<Self::Record>)
    -> Result<Self::Figures, StudyError>;

    /// What to know about this run before believing it.
    fn remarks(&self, run: Run, ledger: &Ledger<Self::Record>) -> Vec<String>;

    /// The claims, judged.
    fn findings(&self, figures: &Self::Figures) -> Vec<Finding>;

    /// Whether nothing was ever tried.
    fn is_blank(figures: &Self::Figures) -> bool;

    /// The figures as tables, a plot and a few sentences.
    fn report(summary: &Summary<Self::Figures>) -> Report;
}

/// What the trials of a stage are called, and the trials.
pub type Stage<K> = (&'static str, Vec<<K as Experiment>::Trial>);

/// What a study holds, for lists.
#[derive(Clone, Debug)]
pub struct Contents {
    /// The games.
    pub games: Vec<String>,
    /// How many cells there are.
    pub cells: usize,
    /// How many claims there are.
    pub claims: usize,
    /// The scales.
    pub scales: Vec<Scale>,
}

/// Where trials get games and engines from.
pub trait Equipment: Sync {
    /// Where a bundled game is played.
    ///
    /// # Errors
    /// If there is no such game, or the engine cannot run it.
    fn table(&self, game: &str) -> Result<Box<dyn ContestGame>, StudyError>;

    /// The engine that is written so, ready on a game.
    ///
    /// # Errors
    /// Tells, in a line, why it cannot be.
    fn contender(&self, game: &str, engine: &str) -> Result<Box<dyn Contender>, String>;
}

/// What a thread makes trials with.
pub struct Bench<'a, K: Experiment> {
    /// The run.
    pub run: Run,
    /// What was made ready.
    pub ready: &'a K::Ready,
    /// Where more comes from.
    pub equipment: &'a dyn Equipment,
}

/// How a study is carried out.
pub struct Session<'a> {
    /// How much, and from which seed.
    pub run: Run,
    /// The file of the ledger.
    pub file: &'a Path,
    /// How many trials are made at a time.
    pub jobs: usize,
    /// Whether nothing is made and only what is there is reported.
    pub report_only: bool,
    /// What trials are made with.
    pub equipment: &'a dyn Equipment,
    /// Once this is set, nothing more is begun.
    pub interrupt: &'a AtomicBool,
    /// Is told what is being made, and how many of how many are done; 0 when a stage begins.
    pub progress: &'a (dyn Fn(&'static str, usize, usize) + Sync),
}

/// What came out of a study.
#[derive(Clone, Debug, Serialize)]
pub struct Summary<F> {
    /// What it is, and how it was run.
    #[serde(flatten)]
    pub heading: Heading,
    /// What to know before believing it.
    pub notes: Vec<String>,
    /// The figures.
    #[serde(flatten)]
    pub figures: F,
    /// The claims.
    pub claims: Vec<Finding>,
}

impl<F> Summary<F> {
    /// Whether no claim fails.
    pub fn stands(&self) -> bool {
        let mut claims = self.claims.iter();
        claims.all(|claim| claim.judgement != Judgement::Fails)
    }
}

impl<F> Summary<F> {
    /// A report with what all kinds have in common; each kind fills in the rest.
    pub(super) fn begin_report(&self) -> Report {
        Report {
            heading: self.heading.clone(),
            standing: String::new(),
            tables: Vec::new(),
            claims: self.claims.clone(),
            written: with_interval,
            problems: Vec::new(),
            section: "",
            materials: Vec::new(),
            notes: self.notes.clone(),
            shows: "",
            plot: Plot::Rates(Rates { panels: Vec::new() }),
            csv_head: "",
            csv_rows: Vec::new(),
            json: String::new(),
            trials: String::new(),
        }
    }
}

/// Reads a study of a kind.
///
/// # Errors
/// If the text is not TOML, lacks something, or does not make sense.
pub fn parse<K: Experiment>(name: &str, text: &str) -> Result<K, StudyError> {
    check_numbers(&toml::from_str(text)?)?;
    let mut study: K = toml::from_str(text)?;
    name.clone_into(&mut study.front_mut().name);
    study.check()?;
    Ok(study)
}

/// A study of any kind.
pub trait Study: Send + Sync {
    /// What it is.
    fn front(&self) -> &Front;

    /// What it holds.
    fn contents(&self) -> Contents;

    /// What its cells and its trials are called.
    fn words(&self) -> [&'static str; 2];

    /// How many trials a scale has, before anything is known.
    ///
    /// # Errors
    /// If the study does not have the scale.
    fn count(&self, scale: Scale) -> Result<usize, StudyError>;

    /// Takes the names of all bundled games, if the study wants them all.
    fn take_bundled(&mut self, names: &[String]);

    /// Makes the trials that are missing, and reports.
    ///
    /// # Errors
    /// If trials cannot be made, the ledger cannot be read or written, or there is nothing to
    /// report; what was finished by then is in the ledger.
    fn perform(&self, session: &Session<'_>) -> Result<Report, StudyError>;
}

impl<K: Experiment> Study for K {
    fn front(&self) -> &Front {
        Experiment::front(self)
    }

    fn contents(&self) -> Contents {
        Experiment::contents(self)
    }

    fn words(&self) -> [&'static str; 2] {
        [K::CELL, K::TRIALS]
    }

    fn count(&self, scale: Scale) -> Result<usize, StudyError> {
        Ok(self.agenda(Run { scale, seed: 1 })?.len())
    }

    fn take_bundled(&mut self, names: &[String]) {
        Experiment::take_bundled(self, names);
    }

    fn perform(&self, session: &Session<'_>) -> Result<Report, StudyError> {
        let ledger = match session.report_only {
            true => Ledger::read(session.file)?,
            false => carry_out(self, session)?,
        };
        let summary = summarise(self, session.run, &ledger)?;
        if K::is_blank(&summary.figures) {
            return Err(StudyError::Nothing {
                folder: session
                    .file
                    .parent()
                    .map(Path::to_owned)
                    .unwrap_or_default(),
                trials: K::TRIALS,
            });
        }
        let mut report = K::report(&summary);
        report.json = serde_json::to_string(&summary).map_err(StudyError::Json)?;
        report.trials = trials::csv(&ledger.records).map_err(StudyError::Json)?;
        Ok(report)
    }
}

/// Makes all trials that are missing, stage by stage.
///
/// # Errors
/// As [`Study::perform`].
pub fn carry_out<K: Experiment>(
    study: &K,
    session: &Session<'_>,
) -> Result<Ledger<K::Record>, StudyError> {
    let mut ledger = Ledger::open(session.file)?;
    ledger.note(RunNote {
        study: study.front().name.clone(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        scale: session.run.scale.name().to_owned(),
        seed: session.run.seed,
        jobs: K::jobs(session.jobs),
        processors: std::thread::available_parallelism().map_or(1, usize::from),
        processor: Some(machine::processor()),
        load: machine::load(),
    })?;
    let begun = Instant::now();
    for number in 0.. {
        let Some(stage) = study.stage(session.run, number, &ledger)? else {
            break;
        };
        make_missing(study, stage, &mut ledger, session)?;
        if session.interrupt.load(Ordering::Relaxed) {
            break;
        }
    }
    ledger.end(EndNote {
        load: machine::load(),
        seconds: begun.elapsed().as_secs_f64(),
    })?;
    Ok(ledger)
}

/// Makes the trials of a stage that the ledger does not have, and adds each when it is over.
fn make_missing<K: Experiment>(
    study: &K,
    (called, trials): Stage<K>,
    ledger: &mut Ledger<K::Record>,
    session: &Session<'_>,
) -> Result<(), StudyError> {
    let records = ledger.records.iter().filter(|record| record.is_final());
    let done: BTreeSet<&str> = records.map(Record::fingerprint).collect();
    let trials = trials.into_iter();
    let missing: Vec<K::Trial> = trials
        .filter(|trial| !done.contains(K::fingerprint(trial).as_str()))
        .collect();
    let all = missing.len();
    let ready = study.prepare(&missing, session.equipment)?;
    let work = Work {
        study,
        bench: Bench {
            run: session.run,
            ready: &ready,
            equipment: session.equipment,
        },
        lots: K::lots(missing),
        next: AtomicUsize::new(0),
        stop: AtomicBool::new(false),
        interrupt: session.interrupt,
        ledger: Mutex::new((ledger, 0)),
        progress: &|done| (session.progress)(called, done, all),
    };
    (work.progress)(0);
    let jobs = K::jobs(session.jobs).clamp(1, work.lots.len().max(1));
    if jobs == 1 {
        return work.some();
    }
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(|| work.some())).collect();
        let joined = workers.into_iter().map(|worker| match worker.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        // All are waited for, whatever the first one says.
        let results: Vec<Result<(), StudyError>> = joined.collect();
        results.into_iter().collect()
    })
}

/// What the threads share.
struct Work<'a, K: Experiment> {
    study: &'a K,
    bench: Bench<'a, K>,
    lots: Vec<Vec<K::Trial>>,
    next: AtomicUsize,
    /// Set when something went wrong: no thread begins another lot.
    stop: AtomicBool,
    /// Set from outside, to the same end.
    interrupt: &'a AtomicBool,
    /// The ledger, and how many records were added.
    ledger: Mutex<(&'a mut Ledger<K::Record>, usize)>,
    progress: &'a (dyn Fn(usize) + Sync),
}

impl<K: Experiment> Work<'_, K> {
    /// What one thread does: the next lot, until there is none.
    fn some(&self) -> Result<(), StudyError> {
        let is_set = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
        while !is_set(&self.stop) && !is_set(self.interrupt) {
            let place = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(lot) = self.lots.get(place) else {
                break;
            };
            let mut add = |record| self.add(record);
            if let Err(error) = self.study.make(&self.bench, lot, &mut add) {
                self.stop.store(true, Ordering::Relaxed);
                return Err(error);
            }
        }
        Ok(())
    }

    fn add(&self, record: K::Record) -> Result<(), StudyError> {
        let mut ledger = self.ledger.lock().unwrap_or_else(PoisonError::into_inner);
        ledger.0.add(record)?;
        ledger.1 += 1;
        (self.progress)(ledger.1);
        Ok(())
    }
}

/// Sums up what the ledger has of a study.
///
/// # Errors
/// As [`Experiment::figures`].
pub fn summarise<K: Experiment>(
    study: &K,
    run: Run,
    ledger: &Ledger<K::Record>,
) -> Result<Summary<K::Figures>, StudyError> {
    let figures = study.figures(run, ledger)?;
    let front = study.front();
    let mut notes = front.notes.clone();
    notes.extend(study.remarks(run, ledger));
    notes.extend(ledger.machines());
    Ok(Summary {
        heading: Heading {
            study: front.name.clone(),
            title: front.title.clone(),
            source: front.source.clone(),
            about: front.about.clone(),
            scale: run.scale,
            seed: run.seed,
        },
        notes,
        claims: study.findings(&figures),
        figures,
    })
}
