//! Flat rules as text, in the notation of the compiler chapter.

use super::{Cell, FlatAtom, FlatLiteral, FlatRule, Flattening};
use crate::program::{Program, RelationKind};

impl Flattening {
    /// A rule as text, such as `(<= (next (OnMap ?r0 #nil)) (role ?r0))`; a fact is its head alone.
    ///
    /// `names` gives the names of the variables, which their columns follow as numbers.
    pub fn rule_text(
        &self,
        program: &Program,
        rule: &FlatRule,
        names: &impl Fn(usize) -> String,
    ) -> String {
        let atom = |atom: &FlatAtom| self.atom_text(program, atom, names);
        let head = atom(&rule.head);
        if rule.body.is_empty() {
            return head;
        }
        let mut text = format!("(<= {head}");
        for literal in &rule.body {
            text.push(' ');
            text.push_str(&match literal {
                FlatLiteral::Holds(holds) => atom(holds),
                FlatLiteral::Fails(fails) => format!("(not {})", atom(fails)),
                FlatLiteral::Differ(pairs) => {
                    let left = join(pairs.iter().map(|pair| pair.0.text(program, names)));
                    let right = join(pairs.iter().map(|pair| pair.1.text(program, names)));
                    format!("(distinct ({left}) ({right}))")
                }
                FlatLiteral::Plain(cell) => format!("(plain {})", cell.text(program, names)),
            });
        }
        text + ")"
    }

    /// An atom as text, such as `(init (OnMap Green #nil #nil 1 1))`.
    pub fn atom_text(
        &self,
        program: &Program,
        atom: &FlatAtom,
        names: &impl Fn(usize) -> String,
    ) -> String {
        let relation = program.relation(atom.relation);
        let name = program.symbols.name(relation.name);
        let cells = atom.cells.iter().map(|cell| cell.text(program, names));
        let mut parts: Vec<String> = std::iter::once(name.to_owned()).chain(cells).collect();
        if let (Some(functor), RelationKind::Keyword(keyword)) = (relation.functor, relation.kind) {
            // Before the fluent or move stand a lifetime or a role, as the keyword wants it.
            let before = keyword.arity(program.dialect.is_timed()) - 1;
            let columns = self.relations[atom.relation.index()].iter().take(before);
            let subject = parts.split_off(1 + columns.sum::<usize>());
            let functor = program.symbols.name(functor).to_owned();
            let subject = join(std::iter::once(functor).chain(subject));
            parts.push(format!("({subject})"));
        }
        format!("({})", parts.join(" "))
    }
}

impl Cell {
    /// The cell as text; `names` gives the names of variables, which their columns follow as
    /// numbers.
    pub fn text(self, program: &Program, names: &impl Fn(usize) -> String) -> String {
        match self {
            Cell::Nil => "#nil".to_owned(),
            Cell::Constant(symbol) | Cell::Function(symbol, _) => {
                program.symbols.name(symbol).to_owned()
            }
            Cell::Variable(variable, column) => format!("?{}{column}", names(variable)),
        }
    }
}

fn join(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(" ")
}
