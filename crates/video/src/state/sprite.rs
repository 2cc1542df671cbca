//! Sprites and rectangles.

use crate::kind::TypeId;

/// Marks of a sprite.
pub(crate) mod flag {
    pub(crate) const ORIENTED: u16 = 1;
    pub(crate) const DISABLED: u16 = 2;
    pub(crate) const FROM_AVATAR: u16 = 4;
    /// No turn was had yet.
    pub(crate) const FRESH: u16 = 8;
    /// On the kill list.
    pub(crate) const KILLED: u16 = 16;
    /// On the list of those whose last rectangle may differ from the present one.
    pub(crate) const MOVED: u16 = 32;
    /// Not exactly one block on the grid.
    pub(crate) const ASKEW: u16 = 64;
    /// The marks that tell states apart.
    pub(crate) const TELLING: u16 = ORIENTED | DISABLED | FROM_AVATAR | FRESH;
}

/// A sprite. `a` and `b` belong to the class: an age, a counter, a direction.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sprite {
    pub(crate) x: i32,
    pub(crate) y: i32,
    pub(crate) last_x: i32,
    pub(crate) last_y: i32,
    pub(crate) w: i16,
    pub(crate) h: i16,
    pub(crate) last_w: i16,
    pub(crate) last_h: i16,
    pub(crate) id: u32,
    /// The turn of the last move; for sprites without turns, the turns since then.
    pub(crate) stamp: i32,
    pub(crate) a: i32,
    pub(crate) b: i32,
    pub(crate) health: i32,
    pub(crate) max_health: i32,
    pub(crate) time_to_live: i32,
    pub(crate) kind: TypeId,
    pub(crate) flags: u16,
    /// A code of an orientation: 0 none, 1 up, 2 left, 3 down, 4 right, 5 NIL, others in a table.
    pub(crate) orientation: u16,
    /// 0 for the speed of the type, else one more than a place in the table.
    pub(crate) speed: u16,
    pub(crate) next: u16,
    pub(crate) cell: u16,
    /// The turn in which the sprite last changed its place or appeared.
    pub(crate) touched: u16,
}

impl Sprite {
    #[inline]
    pub(crate) fn is(&self, mark: u16) -> bool {
        self.flags & mark != 0
    }

    /// Whether two sprites overlap in an area. (M-1)
    #[inline]
    pub(crate) fn intersects(&self, other: &Sprite) -> bool {
        self.x < other.x + i32::from(other.w)
            && other.x < self.x + i32::from(self.w)
            && self.y < other.y + i32::from(other.h)
            && other.y < self.y + i32::from(self.h)
            && self.w > 0
            && self.h > 0
            && other.w > 0
            && other.h > 0
    }

    /// The rectangle now.
    #[inline]
    pub(crate) fn rect(&self) -> Rect {
        Rect {
            x: self.x,
            y: self.y,
            w: self.w,
            h: self.h,
        }
    }

    /// The rectangle at the start of the tick.
    #[inline]
    pub(crate) fn last_rect(&self) -> Rect {
        Rect {
            x: self.last_x,
            y: self.last_y,
            w: self.last_w,
            h: self.last_h,
        }
    }
}

/// A rectangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Rect {
    pub(crate) x: i32,
    pub(crate) y: i32,
    pub(crate) w: i16,
    pub(crate) h: i16,
}

impl Rect {
    pub(crate) fn intersects(self, other: Rect) -> bool {
        self.x < other.x + i32::from(other.w)
            && other.x < self.x + i32::from(self.w)
            && self.y < other.y + i32::from(other.h)
            && other.y < self.y + i32::from(self.h)
            && self.w > 0
            && self.h > 0
            && other.w > 0
            && other.h > 0
    }
}
