//! Play and reasoning where players do not see everything: beliefs, searches, regret minimisation, model checking.
