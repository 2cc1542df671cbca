//! The printers.

use crate::syntax::read_sound;
use expect_test::expect;
use paidia_gdl::syntax::{Notation, Notation::Infix, Notation::Kif, print};

const SHEET: &str = "; A game\n(role x)(role y)\n\n\n;; the first\n;;\n;; and the last\n\n(init (cell 1 1 b)) (open)
(<= (next (cell ?m ?N x)) ; mark
 (does ?P (mark ?m ?N)) (not (true (cell ?m ?N |b|))) (or (distinct ?m ?n++) (and (p 1) (q -1) )(or r)) (not (or a b)))
(<= terminal (not open))\n; end";

fn check_print(notation: Notation, expected: &expect_test::Expect) {
    expected.assert_eq(&print(&read_sound(Kif, SHEET), notation));
}

#[test]
fn kif_in_normal_form() {
    check_print(
        Kif,
        &expect![[r#"
        ;;; A game
        (role x)
        (role y)

        ;;; the first

        ;;; and the last

        (init (cell 1 1 b))
        (open)
        ;;; mark
        (<= (next (cell ?m ?N x))
            (does ?P (mark ?m ?N))
            (not (true (cell ?m ?N |b|)))
            (or (distinct ?m ?n++) (and (p 1) (q -1)) (or r))
            (not (or a b)))
        (<= terminal
            (not open))
        ;;; end
    "#]],
    );
}

#[test]
fn infix_in_normal_form() {
    check_print(
        Infix,
        &expect![[r#"
        % A game
        role(x).
        role(y).

        % the first

        % and the last

        init(cell(1, 1, b)).
        open.
        % mark
        next(cell(M, _N, x)) :-
            does(_P, mark(M, _N)),
            not true(cell(M, _N, '|b|')),
            (distinct(M, _'n++') | (p(1), q(-1)) | or(r)),
            not (a | b).
        terminal :-
            not open.
        % end
    "#]],
    );
}

#[test]
fn printing_twice_changes_nothing() {
    for notation in [Kif, Infix] {
        let once = print(&read_sound(Kif, SHEET), notation);
        let twice = print(&read_sound(notation, &once), notation);
        assert_eq!(once, twice);
    }
}
