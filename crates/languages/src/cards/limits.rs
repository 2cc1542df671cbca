//! How large card games may be.

/// Bytes of a rule file.
pub const MAX_TEXT_BYTES: usize = 256 << 10;
/// Players.
pub const MAX_PLAYERS: u8 = 8;
/// Tables.
pub const MAX_TABLES: u8 = 8;
/// Stages.
pub const MAX_STAGES: usize = 100;
/// Rules, after each player has got one of those for all.
pub const MAX_RULES: usize = 128;
/// Tokens that the dealer may give at once, and that may be bet.
pub const MAX_TOKENS: u16 = 1_000;
/// Values of cards and plays.
pub const MAX_VALUE: u16 = 1_000;
/// Points for a token, a card, or not being out.
pub const MAX_POINTS: i32 = 1_000;
/// Actions of players, after which a game ends as after its last stage. Rules can take and put one
/// card for ever.
pub const MAX_ACTIONS: u16 = 1_000;
/// Rules of one stage.
pub const MAX_STAGE_RULES: usize = 64;
/// Tokens that the dealer gives in all stages together.
pub const MAX_ALL_TOKENS: u32 = 10_000;
