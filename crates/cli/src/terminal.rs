//! What depends on whether a person is watching: colours and progress bars.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use anstyle::{AnsiColor, Style};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// For headings.
pub(crate) const STRONG: Style = Style::new().bold();

/// For what matters less.
pub(crate) const FAINT: Style = Style::new().dimmed();

/// For good news.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();

/// For bad news.
pub(crate) const BAD: Style = AnsiColor::Red.on_default();

/// Whether text for standard error may have colours: on a terminal, unless `NO_COLOR` is set.
pub(crate) fn colour_on_stderr() -> bool {
    anstream::AutoStream::choice(&std::io::stderr()) != anstream::ColorChoice::Never
}

/// Whether text for standard output may have colours.
pub(crate) fn colour_on_stdout() -> bool {
    anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never
}

/// Work that lasts less than this shows no bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// A progress bar on standard error that appears when something lasts, and only on a terminal.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    length: Option<u64>,
    /// Steps that were done before, which say nothing about the time that is left.
    before: u64,
    unit: &'static str,
    started: Instant,
    watched: bool,
}

impl Progress {
    /// A bar over `length` steps, or a spinner if it is unknown how many there will be.
    pub(crate) fn new(length: Option<u64>, unit: &'static str) -> Self {
        Self::resumed(length, 0, unit)
    }

    /// The same for work of which a part was done before.
    pub(crate) fn resumed(length: Option<u64>, before: u64, unit: &'static str) -> Self {
        let watched = std::io::stderr().is_terminal();
        Self {
            bar: None,
            length,
            before,
            unit,
            started: Instant::now(),
            watched,
        }
    }

    /// Shows that `done` steps are done.
    pub(crate) fn set(&mut self, done: u64) {
        if !self.watched || (self.bar.is_none() && self.started.elapsed() < PATIENCE) {
            return;
        }
        let (length, before, unit) = (self.length, self.before, self.unit);
        let bar = self.bar.get_or_insert_with(|| {
            let bar = new_bar(length, unit).with_elapsed(self.started.elapsed());
            bar.set_position(before);
            bar.reset_eta();
            bar
        });
        bar.set_position(done);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn new_bar(length: Option<u64>, unit: &'static str) -> ProgressBar {
    let target = ProgressDrawTarget::stderr_with_hz(10);
    let (bar, template) = match length {
        Some(length) => {
            let bar = ProgressBar::with_draw_target(Some(length), target);
            (
                bar,
                format!("{{bar:30}} {{human_pos}} of {{human_len}} {unit}, {{eta}} left"),
            )
        }
        None => {
            let bar = ProgressBar::with_draw_target(None, target);
            (
                bar,
                format!("{{spinner}} {{human_pos}} {unit}, {{elapsed}}"),
            )
        }
    };
    // The templates are ours; a mistake in one would only cost the looks.
    bar.with_style(
        ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar()),
    )
}
