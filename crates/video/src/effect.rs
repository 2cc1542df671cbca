//! Effects as a description writes them: names, parameters, and what each may change.

use crate::kind::{NO_TYPE, TypeId};
use crate::problems::Finding;
use crate::values::{Parameters, Value};

macro_rules! operations {
    ($($name:literal => $operation:ident,)*) => {
        /// What an effect does. (section 16)
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(crate) enum Operation { $($operation,)* }

        const OPERATIONS: &[(&str, Operation)] = &[$(($name, Operation::$operation),)*];
    };
}

operations! {
    "stepBack" => StepBack,
    "undoAll" => UndoAll,
    "bounceForward" => BounceForward,
    "pullWithIt" => PullWithIt,
    "turnAround" => TurnAround,
    "wrapAround" => WrapAround,
    "teleportToExit" => TeleportToExit,
    "align" => Align,
    "attractGaze" => AttractGaze,
    "reverseDirection" => ReverseDirection,
    "flipDirection" => FlipDirection,
    "killSprite" => KillSprite,
    "killBoth" => KillBoth,
    "killAll" => KillAll,
    "killIfAlive" => KillIfAlive,
    "killIfHasMore" => KillIfHasMore,
    "killIfHasLess" => KillIfHasLess,
    "killIfOtherHasMore" => KillIfOtherHasMore,
    "killIfFromAbove" => KillIfFromAbove,
    "killIfFrontal" => KillIfFrontal,
    "killIfNotFrontal" => KillIfNotFrontal,
    "killIfFast" => KillIfFast,
    "killIfSlow" => KillIfSlow,
    "transformTo" => TransformTo,
    "transformToAll" => TransformToAll,
    "transformIfCount" => TransformIfCount,
    "transformToRandomChild" => TransformToRandomChild,
    "transformToSingleton" => TransformToSingleton,
    "spawn" => Spawn,
    "spawnIfHasMore" => SpawnIfHasMore,
    "spawnIfHasLess" => SpawnIfHasLess,
    "spawnBehind" => SpawnBehind,
    "spawnAbove" => SpawnAbove,
    "spawnBelow" => SpawnBelow,
    "spawnLeft" => SpawnLeft,
    "spawnRight" => SpawnRight,
    "spawnIfCounterSubTypes" => SpawnIfCounterSubTypes,
    "cloneSprite" => CloneSprite,
    "collectResource" => CollectResource,
    "collectResourceIfHeld" => CollectResourceIfHeld,
    "changeResource" => ChangeResource,
    "addHealthPoints" => AddHealthPoints,
    "addHealthPointsToMax" => AddHealthPointsToMax,
    "subtractHealthPoints" => SubtractHealthPoints,
    "removeScore" => RemoveScore,
    "setSpeedForAll" => SetSpeedForAll,
    "increaseSpeedToAll" => IncreaseSpeedToAll,
    "decreaseSpeedToAll" => DecreaseSpeedToAll,
    "updateSpawnType" => UpdateSpawnType,
    "halfSpeed" => HalfSpeed,
    "waterPhysics" => WaterPhysics,
    "shieldFrom" => ShieldFrom,
    "addTimer" => AddTimer,
    "wallStop" => WallStop,
}

impl Operation {
    pub(crate) fn by_name(name: &str) -> Option<Self> {
        OPERATIONS
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, operation)| *operation)
    }

    pub(crate) fn name(self) -> &'static str {
        OPERATIONS
            .iter()
            .find(|(_, known)| *known == self)
            .map_or("?", |(name, _)| name)
    }

    pub(crate) fn names() -> impl Iterator<Item = &'static str> {
        OPERATIONS.iter().map(|(name, _)| *name)
    }
}

/// An effect with its parameters.
#[derive(Clone, Debug)]
pub(crate) struct Effect {
    pub(crate) operation: Operation,
    pub(crate) score: i64,
    pub(crate) score_if_killed: i64,
    pub(crate) repeat: i32,
    pub(crate) probability: f64,
    /// What is added to the counters when the score applies, and when not.
    pub(crate) counters: Vec<i32>,
    pub(crate) counters_else: Vec<i32>,
    pub(crate) stype: TypeId,
    /// `stypeTo`, `stype_other`, `estype` or `spawnPoint`, by the operation.
    pub(crate) other: TypeId,
    /// `stypeCount`.
    pub(crate) counted: TypeId,
    pub(crate) resource: TypeId,
    pub(crate) excepted: Vec<TypeId>,
    pub(crate) value: i32,
    pub(crate) amount: f64,
    pub(crate) limit: i32,
    pub(crate) geq: i32,
    pub(crate) leq: i32,
    pub(crate) spend: i32,
    pub(crate) sub_types: i32,
    pub(crate) offset: f64,
    pub(crate) limit_speed: f64,
    pub(crate) kill_second: bool,
    pub(crate) kill_resource: bool,
    pub(crate) force_orientation: bool,
    pub(crate) take_orientation: bool,
    pub(crate) pixel_perfect: bool,
    pub(crate) orient: bool,
    pub(crate) align: bool,
    pub(crate) subtract: bool,
    pub(crate) step_back: bool,
    pub(crate) timer: i32,
    pub(crate) repeating: bool,
    pub(crate) next_execution: i32,
    /// The effect that a shield keeps off, or that a timer runs.
    pub(crate) function: Option<Operation>,
    /// The place of what a timer runs among the effects.
    pub(crate) timed: Option<u16>,
}

/// Looks up the types that an effect names.
pub(crate) struct Names<'a> {
    pub(crate) find: &'a dyn Fn(&str) -> Option<TypeId>,
}

/// A name that means nothing, which makes the original stop reading.
pub(crate) struct Unreadable(pub(crate) String);

impl Effect {
    /// An effect with its defaults.
    fn new(operation: Operation) -> Self {
        let change = matches!(
            operation,
            Operation::SetSpeedForAll
                | Operation::IncreaseSpeedToAll
                | Operation::DecreaseSpeedToAll
        );
        let steps = operation == Operation::SetSpeedForAll;
        Self {
            operation,
            score: 0,
            score_if_killed: 0,
            repeat: 1,
            probability: 1.0,
            counters: Vec::new(),
            counters_else: Vec::new(),
            stype: NO_TYPE,
            other: NO_TYPE,
            counted: NO_TYPE,
            resource: NO_TYPE,
            excepted: Vec::new(),
            value: 1,
            amount: if change && !steps { 0.1 } else { 0.0 },
            limit: 0,
            geq: 0,
            leq: 10_000,
            spend: 0,
            sub_types: 0,
            offset: 0.0,
            limit_speed: 1.0,
            kill_second: false,
            kill_resource: matches!(
                operation,
                Operation::CollectResource | Operation::CollectResourceIfHeld
            ),
            force_orientation: false,
            take_orientation: false,
            pixel_perfect: false,
            orient: true,
            align: false,
            subtract: false,
            step_back: false,
            timer: if operation == Operation::AddTimer {
                0
            } else {
                -1
            },
            repeating: false,
            next_execution: -1,
            function: None,
            timed: None,
        }
    }

    /// Reads the parameters of a line.
    pub(crate) fn read(
        operation: Operation,
        given: &Parameters,
        names: &Names<'_>,
        found: &mut Vec<Finding>,
    ) -> Result<Self, Unreadable> {
        let mut effect = Self::new(operation);
        effect.score = score(given, "scoreChange")?;
        effect.score_if_killed = score(given, "scoreChangeIfKilled")?;
        given.integer("repeat", &mut effect.repeat, found);
        given.double("prob", &mut effect.probability, found);
        effect.counters = counters(given, "counter");
        effect.counters_else = counters(given, "counterElse");
        given.integer("value", &mut effect.value, &mut Vec::new());
        given.double("value", &mut effect.amount, &mut Vec::new());
        given.integer("limit", &mut effect.limit, found);
        given.integer("geq", &mut effect.geq, found);
        given.integer("leq", &mut effect.leq, found);
        given.integer("spend", &mut effect.spend, found);
        given.integer("subTypesNum", &mut effect.sub_types, found);
        given.double("offset", &mut effect.offset, found);
        given.double("limspeed", &mut effect.limit_speed, found);
        given.boolean("killSecond", &mut effect.kill_second, found);
        given.boolean("killResource", &mut effect.kill_resource, found);
        given.boolean("forceOrientation", &mut effect.force_orientation, found);
        given.boolean("takeOrientation", &mut effect.take_orientation, found);
        given.boolean("pixelPerfect", &mut effect.pixel_perfect, found);
        given.boolean("orient", &mut effect.orient, found);
        given.boolean("align", &mut effect.align, found);
        given.boolean("subtract", &mut effect.subtract, found);
        given.boolean("stepBack", &mut effect.step_back, found);
        given.integer("timer", &mut effect.timer, found);
        given.boolean("repeating", &mut effect.repeating, found);
        given.integer("nextExecution", &mut effect.next_execution, found);
        effect.read_types(given, names)?;
        Ok(effect)
    }

    fn read_types(&mut self, given: &Parameters, names: &Names<'_>) -> Result<(), Unreadable> {
        use Operation as O;
        let resource = if self.operation == O::CollectResourceIfHeld {
            "heldResource"
        } else {
            "resource"
        };
        let other = match self.operation {
            O::TransformToAll => "stypeTo",
            O::TransformToSingleton => "stype_other",
            O::UpdateSpawnType => "spawnPoint",
            _ => "estype",
        };
        self.stype = names.optional(given, "stype");
        self.other = names.optional(given, other);
        self.counted = names.optional(given, "stypeCount");
        self.resource = names.optional(given, resource);
        if let Some(Value::Text(list)) = given.get("notStype").map(|parameter| &parameter.value) {
            self.excepted = list.split(',').filter_map(names.find).collect();
        }
        if let Some(Value::Text(name)) = given.get("ftype").map(|parameter| &parameter.value) {
            let function = Operation::by_name(name);
            self.function =
                Some(function.ok_or_else(|| {
                    Unreadable(format!("there is no effect `{name}` for `ftype`"))
                })?);
        }
        let needed: &[(&str, TypeId)] = match self.operation {
            O::KillAll
            | O::TransformTo
            | O::TransformToRandomChild
            | O::Spawn
            | O::SpawnBehind
            | O::SpawnAbove
            | O::SpawnBelow
            | O::SpawnLeft
            | O::SpawnRight
            | O::SetSpeedForAll
            | O::IncreaseSpeedToAll
            | O::DecreaseSpeedToAll
            | O::ShieldFrom => &[("stype", self.stype)],
            O::TransformToAll | O::TransformToSingleton | O::UpdateSpawnType => {
                &[("stype", self.stype), (other, self.other)]
            }
            O::TransformIfCount => &[("stype", self.stype), ("stypeCount", self.counted)],
            O::SpawnIfHasMore | O::SpawnIfHasLess => {
                &[("resource", self.resource), ("stype", self.stype)]
            }
            O::KillIfHasMore
            | O::KillIfHasLess
            | O::KillIfOtherHasMore
            | O::ChangeResource
            | O::CollectResourceIfHeld => &[(resource, self.resource)],
            _ => &[],
        };
        match needed.iter().find(|(_, found)| *found == NO_TYPE) {
            Some((key, _)) => Err(Unreadable(match given.get(key) {
                Some(_) => format!("`{key}` names no type of the SpriteSet"),
                None => format!("`{}` needs the parameter `{key}`", self.operation.name()),
            })),
            None => Ok(()),
        }
    }
}

impl Names<'_> {
    fn optional(&self, given: &Parameters, key: &str) -> TypeId {
        match given.get(key).map(|parameter| &parameter.value) {
            Some(Value::Text(name)) => (self.find)(name).unwrap_or(NO_TYPE),
            _ => NO_TYPE,
        }
    }
}

/// A change of the score: the first entry is that of the only player. (I-6)
fn score(given: &Parameters, key: &str) -> Result<i64, Unreadable> {
    match given.get(key).map(|parameter| &parameter.value) {
        Some(Value::Text(text)) => {
            let first = text.split(',').next().unwrap_or("");
            let value: Result<i32, _> = first.parse();
            value
                .map(i64::from)
                .map_err(|_| Unreadable(format!("`{key}` is no whole number")))
        }
        _ => Ok(0),
    }
}

/// Changes of counters: a list; a single number never takes effect. (V-6)
fn counters(given: &Parameters, key: &str) -> Vec<i32> {
    match given.get(key).map(|parameter| &parameter.value) {
        Some(Value::Text(text)) => text
            .split(',')
            .map(|part| part.parse().unwrap_or(0))
            .collect(),
        _ => Vec::new(),
    }
}
