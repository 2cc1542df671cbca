//! What all players and methods make of games that the bundled rules do not have: chance inside the
//! rules, and goals of any range. The games are made up from seeds, directly against the contract.

mod chance;
mod features;
mod goals;
mod made_up;
mod snapshots;
