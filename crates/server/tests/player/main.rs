//! A player as hosts see it: over real connections, from those who know the protocol and those who do not.

mod client;
mod hidden;
mod hostile;
mod matches;
mod orders;
mod requests;
