//! Languages for games outside the GDL family, each from text to a game.
