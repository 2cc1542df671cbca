//! Video games in VGDL: the language, the engine and the controllers.
