//! Reading, printing and showing problems, seen from outside.

mod corpus;
