//! A player as hosts see it: over real connections, from clients that know the protocol and from
//! others.

mod client;
mod hidden;
mod hostile;
mod matches;
mod orders;
mod requests;
