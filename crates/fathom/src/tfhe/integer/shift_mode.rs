//! The ways in which bits move in shifts and rotations.

/// The direction in which bits move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// Towards more significant places.
    Left,
    /// Towards less significant places.
    Right,
}

/// The bits that move in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fill {
    Zero,
    /// The sign bit.
    Sign,
    /// The bits that move out at the other end.
    Rotation,
}

/// The direction in which bits move, and the bits that move in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mode {
    pub(super) direction: Direction,
    pub(super) fill: Fill,
}

impl Mode {
    /// Returns the place, of `length`, from which the block at `place` comes if all move by
    /// `distance`; `None` if it is filled in.
    pub(super) fn source(self, place: usize, distance: usize, length: usize) -> Option<usize> {
        let around = distance % length;
        match (self.direction, self.fill) {
            (Direction::Left, Fill::Rotation) => Some((place + length - around) % length),
            (Direction::Right, Fill::Rotation) => Some((place + around) % length),
            (Direction::Left, Fill::Zero | Fill::Sign) => place.checked_sub(distance),
            (Direction::Right, Fill::Zero | Fill::Sign) => {
                Some(place + distance).filter(|&source| source < length)
            }
        }
    }
}
