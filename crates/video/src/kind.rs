//! Types of sprites as a description declares them, with every field that a class has.

use paidia_gdl::Span;

use crate::class::Class;
use crate::problems::Finding;
use crate::values::{Parameters, Value};

/// A sprite type by its number.
pub type TypeId = u16;

/// No type: a name that was not given or that nothing defines.
pub(crate) const NO_TYPE: TypeId = TypeId::MAX;

/// A type named in the description.
#[derive(Clone, Debug)]
pub struct SpriteType {
    /// The name that the description gives.
    pub name: String,
    /// The behaviour; none for a type that only groups others.
    pub class: Option<Class>,
    /// From the outermost ancestor down to the type itself.
    pub ancestors: Vec<TypeId>,
    /// Where sprites of the type are looked for: ancestors, itself, and what is below.
    pub subtypes: Vec<TypeId>,
    pub(crate) children: Vec<TypeId>,
    pub(crate) singleton: bool,
    /// The ancestors (itself included) of which there may be one sprite only.
    pub(crate) single: Vec<TypeId>,
    /// The place in the order of updates; none for types that are never updated.
    pub(crate) turn: Option<u16>,
    pub(crate) span: Span,
    pub(crate) fields: Fields,
    /// The colour and the picture that the description names; only drawing looks at them.
    pub(crate) colour: Option<String>,
    pub(crate) image: Option<String>,
}

impl SpriteType {
    /// Whether players are not shown its sprites.
    pub fn is_hidden(&self) -> bool {
        self.fields.hidden
    }

    /// The name of the colour that the description gives, in its own words.
    pub fn colour(&self) -> Option<&str> {
        self.colour.as_deref()
    }

    /// The picture that the description names.
    pub fn image(&self) -> Option<&str> {
        self.image.as_deref()
    }
}

/// What a new sprite of a type is like, and the settings of its class.
#[derive(Clone, Debug)]
pub(crate) struct Fields {
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) orientation: (f64, f64),
    pub(crate) oriented: bool,
    pub(crate) speed: f64,
    pub(crate) cooldown: i32,
    pub(crate) is_static: bool,
    pub(crate) only_active: bool,
    pub(crate) stationary: bool,
    pub(crate) rotates: bool,
    pub(crate) is_avatar: bool,
    pub(crate) is_resource: bool,
    pub(crate) is_portal: bool,
    pub(crate) is_npc: bool,
    pub(crate) health: i32,
    pub(crate) max_health: i32,
    pub(crate) limit_health: i32,
    pub(crate) time_to_live: i32,
    pub(crate) hidden: bool,
    pub(crate) physics: i32,
    pub(crate) limit: i32,
    pub(crate) age: i32,
    pub(crate) value: i32,
    pub(crate) spread: f64,
    pub(crate) probability: f64,
    pub(crate) total: i32,
    pub(crate) spawn_orientation: (f64, f64),
    pub(crate) cons: i32,
    pub(crate) fleeing: bool,
    pub(crate) max_distance: i32,
    pub(crate) epsilon: f64,
    pub(crate) random_target: bool,
    pub(crate) min_ammo: i32,
    pub(crate) ammo_cost: i32,
    /// Names, which become numbers once all types are known.
    pub(crate) names: Names,
    pub(crate) resource: TypeId,
    pub(crate) target: TypeId,
    pub(crate) targets: Vec<TypeId>,
    pub(crate) ammo: Vec<TypeId>,
    pub(crate) trail: TypeId,
}

/// Names of other types among the fields.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    pub(crate) resource: Option<String>,
    pub(crate) target: Option<String>,
    pub(crate) targets: Option<String>,
    pub(crate) ammo: Option<String>,
    pub(crate) trail: Option<String>,
}

impl Default for Fields {
    fn default() -> Self {
        Self {
            width: 1.0,
            height: 1.0,
            orientation: (0.0, 0.0),
            oriented: false,
            speed: 0.0,
            cooldown: 0,
            is_static: false,
            only_active: false,
            stationary: false,
            rotates: false,
            is_avatar: false,
            is_resource: false,
            is_portal: false,
            is_npc: false,
            health: 0,
            max_health: 0,
            limit_health: 1000,
            time_to_live: -1,
            hidden: false,
            physics: 0,
            limit: 1,
            age: 0,
            value: 1,
            spread: 1.0,
            probability: 1.0,
            total: 0,
            spawn_orientation: (0.0, 0.0),
            cons: 0,
            fleeing: false,
            max_distance: -1,
            epsilon: 0.0,
            random_target: false,
            min_ammo: -1,
            ammo_cost: 1,
            names: Names::default(),
            resource: NO_TYPE,
            target: NO_TYPE,
            targets: Vec::new(),
            ammo: Vec::new(),
            trail: NO_TYPE,
        }
    }
}

impl Fields {
    /// The defaults of a class. (sections 12 to 14)
    pub(crate) fn of_class(class: Class) -> Self {
        let mut fields = Self::default();
        fields.set_category(class);
        match class {
            Class::Resource | Class::ResourcePack => fields.limit = 2,
            Class::Conveyor | Class::OrientedFlicker => fields.oriented = true,
            Class::Missile | Class::ErraticMissile | Class::RandomMissile => {
                fields.speed = 1.0;
                fields.oriented = true;
                if class == Class::RandomMissile {
                    fields.orientation = (-1.0, -1.0);
                }
            }
            Class::Bomber
            | Class::RandomBomber
            | Class::BomberRandomMissile
            | Class::SpawnPointMultiSprite => {
                fields.oriented = true;
                fields.orientation = (1.0, 0.0);
                if class == Class::RandomBomber {
                    fields.speed = 1.0;
                }
            }
            Class::Fleeing => fields.fleeing = true,
            _ => {}
        }
        if class.is_spawner() {
            fields.cooldown = 1;
        }
        if class.is_avatar() {
            fields.set_avatar(class);
        } else if fields.is_npc && !class.is_spawner() {
            fields.speed = 1.0;
        }
        fields
    }

    fn set_category(&mut self, class: Class) {
        self.is_static = matches!(
            class,
            Class::Immovable
                | Class::Door
                | Class::Conveyor
                | Class::ResourcePack
                | Class::Portal
                | Class::SpawnPoint
                | Class::SpawnPointMultiSprite
        );
        self.is_portal = matches!(class, Class::Door | Class::Portal);
        self.is_resource = matches!(class, Class::Resource | Class::ResourcePack);
        self.is_avatar = class.is_avatar();
        self.is_npc = matches!(
            class,
            Class::Bomber
                | Class::RandomBomber
                | Class::BomberRandomMissile
                | Class::SpawnPointMultiSprite
                | Class::RandomNpc
                | Class::Chaser
                | Class::Fleeing
                | Class::LosChaser
                | Class::PathChaser
                | Class::AlternateChaser
                | Class::PathAltChaser
                | Class::RandomAltChaser
                | Class::RandomPathAltChaser
        );
    }

    fn set_avatar(&mut self, class: Class) {
        self.speed = 1.0;
        let turns = matches!(
            class,
            Class::OrientedAvatar
                | Class::ShootAvatar
                | Class::ShootOnlyAvatar
                | Class::MissileAvatar
                | Class::OngoingAvatar
                | Class::OngoingTurningAvatar
                | Class::OngoingShootAvatar
        );
        if turns {
            self.orientation = (1.0, 0.0);
            self.oriented = true;
            self.rotates = true;
        }
    }

    /// Takes the parameters of a line and of its ancestors. (V-6, R-1)
    pub(crate) fn read(&mut self, class: Class, given: &Parameters, found: &mut Vec<Finding>) {
        given.double("wMult", &mut self.width, found);
        given.double("hMult", &mut self.height, found);
        given.direction("orientation", &mut self.orientation, found);
        given.boolean("is_oriented", &mut self.oriented, found);
        given.double("speed", &mut self.speed, found);
        given.integer("cooldown", &mut self.cooldown, found);
        given.boolean("is_static", &mut self.is_static, found);
        given.boolean("only_active", &mut self.only_active, found);
        given.boolean("stationary", &mut self.stationary, found);
        given.boolean("rotateInPlace", &mut self.rotates, found);
        given.boolean("is_avatar", &mut self.is_avatar, found);
        given.boolean("is_resource", &mut self.is_resource, found);
        given.boolean("portal", &mut self.is_portal, found);
        given.boolean("is_npc", &mut self.is_npc, found);
        given.integer("healthPoints", &mut self.health, found);
        given.integer("maxHealthPoints", &mut self.max_health, found);
        given.integer("limitHealthPoints", &mut self.limit_health, found);
        given.integer("timeToLive", &mut self.time_to_live, found);
        given.integer("physicstype", &mut self.physics, found);
        self.hidden = given.says_true("hidden");
        if self.max_health == 0 {
            self.max_health = self.health;
        }
        self.health = self.health.min(self.max_health);
        self.cooldown = self.cooldown.max(1);
        if self.orientation != (0.0, 0.0) {
            self.oriented = true;
        }
        self.read_class(class, given, found);
    }

    fn read_class(&mut self, class: Class, given: &Parameters, found: &mut Vec<Finding>) {
        let text = |key: &str, found: &mut Vec<Finding>| given.text(key, found).map(str::to_owned);
        match class {
            Class::Resource | Class::ResourcePack => {
                given.integer("value", &mut self.value, found);
                given.integer("limit", &mut self.limit, found);
                self.names.resource = text("resource_name", found);
            }
            Class::Flicker | Class::OrientedFlicker | Class::Spreader => {
                given.integer("limit", &mut self.limit, found);
                given.integer("age", &mut self.age, found);
                given.double("spreadprob", &mut self.spread, found);
                self.names.target = text("stype", found);
            }
            Class::AlternateChaser
            | Class::PathAltChaser
            | Class::RandomAltChaser
            | Class::RandomPathAltChaser => {
                given.integer("cons", &mut self.cons, found);
                given.double("epsilon", &mut self.epsilon, found);
                given.boolean("randomTarget", &mut self.random_target, found);
                self.names.targets = text("stype1", found);
            }
            other if other.is_avatar() => {
                given.integer("minAmmo", &mut self.min_ammo, found);
                given.integer("ammoCost", &mut self.ammo_cost, found);
                self.names.target = text("stype", found);
                self.names.targets = self.names.target.clone();
                self.names.ammo = text("ammo", found);
                self.names.trail = text("spawnBehind", found);
            }
            _ => {
                given.double("prob", &mut self.probability, found);
                given.integer("total", &mut self.total, found);
                given.direction("spawnorientation", &mut self.spawn_orientation, found);
                given.integer("cons", &mut self.cons, found);
                given.boolean("fleeing", &mut self.fleeing, found);
                if let Some(Value::Integer(distance)) = given.get("maxDistance").map(|p| &p.value) {
                    self.max_distance = *distance;
                }
                self.names.target = text("stype", found);
                let list = if class == Class::BomberRandomMissile {
                    "stypeMissile"
                } else {
                    "stypes"
                };
                self.names.targets = text(list, found);
            }
        }
    }
}
