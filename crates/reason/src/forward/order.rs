//! The order of inputs: the best, the worst, or the author's.
//!
//! The paper does not tell how it searches. Here every next input is tried, likely ones first, and
//! what cannot become better than the best order so far is cut off; after [`MAX_TRIES`] the best so
//! far is taken.

use super::Order;
use super::body::{Body, Part};
use super::cost::Expectation;

/// How many inputs are tried at all places of one rule together.
const MAX_TRIES: usize = 5_000;

/// Finds the order of the inputs of a rule: their places in the body.
///
/// `first` must be the first input, whatever it costs; `candidates` tells whether inputs may be
/// read by what can agree.
pub(super) fn inputs(
    body: &Body,
    order: Order,
    first: Option<usize>,
    candidates: bool,
) -> Vec<usize> {
    let places = 0..body.hypotheses.len();
    if order == Order::Original {
        let others = places.filter(|&place| Some(place) != first);
        let parts = body.parts(first.into_iter().chain(others));
        let inputs = parts
            .into_iter()
            .filter(|&(place, part)| part == Part::Input || Some(place) == first);
        return inputs.map(|(place, _)| place).collect();
    }
    let mut search = Search {
        body,
        worst: order == Order::Worst,
        candidates,
        found: None,
        tries: 0,
        inputs: Vec::new(),
    };
    let known = vec![false; body.domains.len()];
    match first {
        Some(first) => search.take(first, &known, Expectation::START),
        None => search.go_on(&known, Expectation::START),
    }
    search.found.map(|(_, inputs)| inputs).unwrap_or_default()
}

struct Search<'a> {
    body: &'a Body,
    worst: bool,
    candidates: bool,
    /// The cost and inputs of the best order so far.
    found: Option<(f64, Vec<usize>)>,
    tries: usize,
    inputs: Vec<usize>,
}

impl Search<'_> {
    /// Tries all inputs that can come next.
    fn go_on(&mut self, known: &[bool], expected: Expectation) {
        let beaten = |found: &(f64, _)| !self.worst && expected.cost() >= found.0;
        if self.found.as_ref().is_some_and(beaten) {
            return;
        }
        let mut next = self.next(known, expected);
        if next.is_empty() {
            let better = |found: &(f64, _)| (expected.cost() > found.0) == self.worst;
            if self.found.as_ref().is_none_or(better) {
                self.found = Some((expected.cost(), self.inputs.clone()));
            }
            return;
        }
        next.sort_by(|left, right| left.1.total_cmp(&right.1));
        if self.worst {
            next.reverse();
        }
        for (place, _) in next {
            if self.tries > MAX_TRIES && self.found.is_some() {
                return;
            }
            self.take(place, known, expected);
        }
    }

    /// The inputs that can come next, with what they promise: what they cost now, and again for
    /// what gets through.
    fn next(&self, known: &[bool], expected: Expectation) -> Vec<(usize, f64)> {
        let hypotheses = self.body.hypotheses.iter().enumerate();
        let inputs = hypotheses.filter(|(_, one)| one.positive && !one.is_known(known));
        let promise = |place: usize| {
            let (_, expected) = self.after(place, known, expected);
            expected.cost() + expected.reach
        };
        inputs.map(|(place, _)| (place, promise(place))).collect()
    }

    fn take(&mut self, place: usize, known: &[bool], expected: Expectation) {
        self.tries += 1;
        let (after, expected) = self.after(place, known, expected);
        self.inputs.push(place);
        self.go_on(&after, expected);
        self.inputs.pop();
    }

    /// What is known and expected after an input and the conditions whose variables have become
    /// known with it.
    fn after(
        &self,
        place: usize,
        known: &[bool],
        expected: Expectation,
    ) -> (Vec<bool>, Expectation) {
        let input = &self.body.hypotheses[place];
        let pass = input.facts * self.body.pass(place, known);
        let taken = match input.permanent {
            true => expected.permanent_input(pass),
            false if self.candidates => {
                let candidates = self.body.candidates(place, known);
                expected.input(input.facts.min(candidates), pass)
            }
            false => expected.input(input.facts, pass),
        };
        let mut after = known.to_vec();
        input
            .variables
            .iter()
            .for_each(|&variable| after[variable] = true);
        let others = self.body.hypotheses.iter().enumerate();
        let due = others
            .filter(|&(other, one)| other != place && one.is_known(&after) && !one.is_known(known));
        let expected = due.fold(taken, |expected, (_, one)| {
            expected.condition(one.probability)
        });
        (after, expected)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Order;
    use super::super::body::tests::capture;
    use super::super::cost::Expectation;
    use super::{Search, inputs};

    #[test]
    fn the_order_depends_on_how_many_facts_there_are() {
        // With many pawns on the board it is best to go through neighbouring squares and ask for
        // pawns there.
        assert_eq!(inputs(&capture(30.0), Order::Best, None, false), [3, 4]);
        // With few, a pawn comes first.
        let few = inputs(&capture(0.5), Order::Best, None, false);
        assert!(few[0] == 1 || few[0] == 2, "{few:?}");
    }

    #[test]
    fn the_original_order_is_the_authors() {
        let body = capture(30.0);
        assert_eq!(inputs(&body, Order::Original, None, false), [1, 2]);
        // The newest facts of a recursion are read first.
        assert_eq!(inputs(&body, Order::Original, Some(4), false), [4, 1, 2]);
    }

    /// The expected costs of all orders of a body's inputs.
    fn all_costs(search: &Search<'_>, known: &[bool], expected: Expectation, found: &mut Vec<f64>) {
        let next = search.next(known, expected);
        if next.is_empty() {
            found.push(expected.cost());
        }
        for (place, _) in next {
            let (known, expected) = search.after(place, known, expected);
            all_costs(search, &known, expected, found);
        }
    }

    #[test]
    fn no_order_is_better_than_the_best_or_worse_than_the_worst() {
        for candidates in [false, true] {
            let body = capture(20.0);
            let search = Search {
                body: &body,
                worst: false,
                candidates,
                found: None,
                tries: 0,
                inputs: Vec::new(),
            };
            let known = vec![false; body.domains.len()];
            let mut costs = Vec::new();
            all_costs(&search, &known, Expectation::START, &mut costs);
            let cost_of = |order: Order| {
                let order = inputs(&body, order, None, candidates);
                let start = (known.clone(), Expectation::START);
                let (_, expected) = order.iter().fold(start, |(known, expected), &place| {
                    search.after(place, &known, expected)
                });
                expected.cost()
            };
            let least = costs.iter().copied().fold(f64::INFINITY, f64::min);
            let most = costs.iter().copied().fold(0.0, f64::max);
            assert!(least < most);
            assert!((cost_of(Order::Best) - least).abs() < 1e-9);
            assert!((cost_of(Order::Worst) - most).abs() < 1e-9);
        }
    }
}
