//! What a role may know of a match.

use crate::facts::{GameFacts, Information};
use crate::ids::{MoveId, PerceptId, RoleId};

/// All that a role is told at the start of a match and after each joint move.
///
/// Every match makes its sights by [`Sight::new`], so that a player of a game with hidden
/// information never holds a reference to the state.
#[derive(Debug)]
pub enum Sight<'a, State> {
    /// The game hides nothing.
    Whole {
        /// The state now.
        state: &'a State,
        /// The joint move that led to it, in the order of the roles; none before the first.
        last: Option<&'a [MoveId]>,
    },
    /// The game hides things.
    Own {
        /// The role's part in the last joint move; none before the first.
        made: Option<MoveId>,
        /// What the role perceived of that joint move.
        percepts: &'a [PerceptId],
    },
}

impl<'a, State> Sight<'a, State> {
    /// What a role may know of a state, of the joint move that led to it and of what it perceived
    /// then.
    pub fn new(
        facts: &GameFacts,
        role: RoleId,
        state: &'a State,
        last: Option<&'a [MoveId]>,
        percepts: &'a [PerceptId],
    ) -> Self {
        match facts.information {
            Information::Perfect => Sight::Whole { state, last },
            Information::Hidden => Sight::Own {
                made: last.and_then(|joint| joint.get(role.index()).copied()),
                percepts,
            },
        }
    }
}

impl<State> Clone for Sight<'_, State> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<State> Copy for Sight<'_, State> {}

#[cfg(test)]
mod tests {
    use super::Sight;
    use crate::facts::{GameFacts, Information, Randomness, TurnOrder};
    use crate::ids::{MoveId, PerceptId, RoleId};

    fn facts(information: Information) -> GameFacts {
        GameFacts {
            name: "any".to_owned(),
            roles: vec!["one".to_owned(), "two".to_owned()],
            randomness: Randomness::None,
            turn_order: TurnOrder::Unknown,
            information,
            goal_range: 0..=100,
            fluents: None,
            moves: None,
        }
    }

    #[test]
    fn the_state_and_the_moves_of_others_are_told_only_where_nothing_is_hidden() {
        let (state, joint, percepts) = ("state", [MoveId(3), MoveId(4)], [PerceptId(5)]);
        let sight =
            |information, last| Sight::new(&facts(information), RoleId(1), &state, last, &percepts);
        let whole = sight(Information::Perfect, Some(&joint[..]));
        assert!(
            matches!(whole, Sight::Whole { state: &"state", last: Some(last) } if last == joint)
        );
        let own = sight(Information::Hidden, Some(&joint[..]));
        let expected = [PerceptId(5)];
        assert!(
            matches!(own, Sight::Own { made: Some(MoveId(4)), percepts } if percepts == expected)
        );
        let first = sight(Information::Hidden, None);
        assert!(matches!(first, Sight::Own { made: None, .. }));
    }
}
