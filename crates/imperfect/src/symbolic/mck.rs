//! The translated system in the language of the model checker MCK.
//!
//! The paper shows fragments of that language and no whole file, and MCK is no free program that
//! we could try: what is written here has the paper's parts in the paper's order, and the notation
//! of its fragments.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::system::{Kind, Refer, System, Value};
use super::typed::{Variable, is_variable};

/// Writes a system.
pub fn write(name: &str, system: &System, variables: &[Variable]) -> String {
    let writer = Writer::new(system, variables);
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = writer.write(name, &mut text);
    text
}

struct Writer<'a> {
    system: &'a System,
    variables: &'a [Variable],
    /// For each atom its name.
    names: Vec<String>,
    /// For each role the names of its moves.
    moves: Vec<Vec<String>>,
    /// For each atom of a typed variable the variable and its value.
    typed: BTreeMap<u32, (String, String)>,
}

impl<'a> Writer<'a> {
    fn new(system: &'a System, variables: &'a [Variable]) -> Self {
        let mut taken = BTreeMap::new();
        let names: Vec<String> = system
            .atoms
            .iter()
            .map(|atom| unique(&atom.name, &mut taken))
            .collect();
        let moves = system
            .moves
            .iter()
            .map(|own| own.iter().map(|name| unique(name, &mut taken)).collect())
            .collect();
        let mut typed = BTreeMap::new();
        for variable in variables {
            if let Variable::Typed(atoms) = variable {
                let group = unique(&format!("one_of_{}", names[atoms[0] as usize]), &mut taken);
                for &atom in atoms {
                    typed.insert(
                        atom,
                        (group.clone(), format!("is_{}", names[atom as usize])),
                    );
                }
            }
        }
        Self {
            system,
            variables,
            names,
            moves,
            typed,
        }
    }

    fn write(&self, name: &str, text: &mut String) -> std::fmt::Result {
        writeln!(
            text,
            "-- {name}: translated from its rules by the method of Huang, Ruan and Thielscher."
        )?;
        self.declarations(text)?;
        self.initial(text)?;
        self.agents(text)?;
        writeln!(text, "transitions\nbegin")?;
        self.moves_made(text)?;
        let guard = if self.system.options.freeze { "  " } else { "" };
        if self.system.options.freeze {
            writeln!(
                text,
                "  if neg {} ->\n  begin",
                self.value(self.system.terminal, "")
            )?;
        }
        self.step(text, guard)?;
        if self.system.options.freeze {
            writeln!(text, "  end\n  [] otherwise ->\n  begin")?;
            for variable in self.variables {
                let atom = variable.atoms()[0];
                if let Kind::Percept(_) = self.system.atoms[atom as usize].kind {
                    match self.typed.get(&atom) {
                        Some((group, _)) => writeln!(text, "    {group} := none;")?,
                        None => writeln!(text, "    {} := False;", self.names[atom as usize])?,
                    }
                }
            }
            writeln!(text, "    skip\n  end\n  fi")?;
        }
        writeln!(text, "end\n")?;
        self.protocols(text)
    }

    fn declarations(&self, text: &mut String) -> std::fmt::Result {
        for (role, moves) in self.system.roles.iter().zip(&self.moves) {
            writeln!(
                text,
                "type moves_{role} = {{INIT, STOP, {}}}",
                moves.join(", ")
            )?;
        }
        for variable in self.variables {
            let atom = variable.atoms()[0];
            if let Some((group, _)) = self.typed.get(&atom) {
                let values = variable.atoms().iter().map(|atom| &*self.typed[atom].1);
                let values: Vec<&str> = values.collect();
                writeln!(text, "type {group}_t = {{none, {}}}", values.join(", "))?;
            }
        }
        writeln!(text)?;
        for role in &self.system.roles {
            writeln!(text, "did_{role} : moves_{role}")?;
        }
        for variable in self.variables {
            let atom = variable.atoms()[0];
            let is_fluent = self.system.atoms[atom as usize].kind == Kind::Fluent;
            let (own, kind) = match self.typed.get(&atom) {
                Some((group, _)) => (group.clone(), format!("{group}_t")),
                None => (self.names[atom as usize].clone(), "Bool".to_owned()),
            };
            writeln!(text, "{own} : {kind}")?;
            if is_fluent {
                writeln!(text, "{own}_old : {kind}")?;
            }
        }
        writeln!(text)?;
        // A definition is a macro of the values after a step; those before it have their own.
        for id in self.defined() {
            let own = &self.names[id as usize];
            if !self.system.atoms[id as usize].by_move {
                writeln!(text, "define {own} = {}", self.rules(id, ""))?;
            }
            writeln!(text, "define {own}_old = {}", self.rules(id, "_old"))?;
        }
        writeln!(text)
    }

    /// What is defined, each after what it needs.
    fn defined(&self) -> impl Iterator<Item = u32> {
        let all = self.system.order.iter().flatten().copied();
        all.filter(|&id| !is_variable(self.system, id))
    }

    fn initial(&self, text: &mut String) -> std::fmt::Result {
        let mut all: Vec<String> = self
            .system
            .roles
            .iter()
            .map(|role| format!("did_{role} == INIT"))
            .collect();
        for variable in self.variables {
            let atoms = variable.atoms();
            match self.typed.get(&atoms[0]) {
                Some((group, _)) => {
                    let initially = |atom: &&u32| self.system.atoms[**atom as usize].initially;
                    let value = atoms.iter().find(initially);
                    let value = value.map_or("none", |atom| &self.typed[atom].1);
                    all.push(format!("{group} == {value}"));
                }
                None if self.system.is_state(atoms[0]) => {
                    let atom = &self.system.atoms[atoms[0] as usize];
                    let truth = if atom.initially { "True" } else { "False" };
                    all.push(format!("{} == {truth}", self.names[atoms[0] as usize]));
                }
                None => {
                    let own = &self.names[atoms[0] as usize];
                    all.push(format!("({own} <=> ({}))", self.rules(atoms[0], "")));
                }
            }
        }
        writeln!(text, "init_cond = {}\n", all.join(" /\\\n  "))
    }

    fn agents(&self, text: &mut String) -> std::fmt::Result {
        for (role, name) in self.system.roles.iter().enumerate() {
            let mut told = vec![format!("did_{name}")];
            for variable in self.variables {
                let atom = variable.atoms()[0];
                if self.system.atoms[atom as usize].kind == Kind::Percept(role) {
                    told.push(match self.typed.get(&atom) {
                        Some((group, _)) => group.clone(),
                        None => self.names[atom as usize].clone(),
                    });
                }
            }
            writeln!(text, "agent {name} \"{name}\" ({})", told.join(", "))?;
        }
        writeln!(text)
    }

    fn moves_made(&self, text: &mut String) -> std::fmt::Result {
        for (role, name) in self.system.roles.iter().enumerate() {
            let own = self.moves[role].iter();
            let own: Vec<String> = own
                .map(|made| format!("{name}.{made} -> did_{name} := {made}"))
                .collect();
            writeln!(
                text,
                "  if {} [] otherwise -> did_{name} := STOP fi;",
                own.join(" [] ")
            )?;
        }
        Ok(())
    }

    fn step(&self, text: &mut String, guard: &str) -> std::fmt::Result {
        for variable in self.variables {
            let atom = variable.atoms()[0];
            if self.system.atoms[atom as usize].kind == Kind::Fluent {
                let own = match self.typed.get(&atom) {
                    Some((group, _)) => group,
                    None => &self.names[atom as usize],
                };
                writeln!(text, "  {guard}{own}_old := {own};")?;
            }
        }
        // What depends on the moves is needed for what comes next.
        for group in &self.system.order {
            if self.system.atoms[group[0] as usize].by_move {
                self.helpers(group, "_old", text, guard)?;
            }
        }
        for variable in self.variables {
            let atoms = variable.atoms();
            if !self.system.is_state(atoms[0]) {
                continue;
            }
            match self.typed.get(&atoms[0]) {
                Some((group, _)) => {
                    let ways: Vec<String> = atoms
                        .iter()
                        .map(|&atom| {
                            format!(
                                "{} -> {group} := {}",
                                self.rules(atom, "_old"),
                                self.typed[&atom].1
                            )
                        })
                        .collect();
                    let ways = ways.join(" [] ");
                    writeln!(
                        text,
                        "  {guard}if {ways} [] otherwise -> {group} := none fi;"
                    )?;
                }
                None => {
                    let rules = self.rules(atoms[0], "_old");
                    writeln!(
                        text,
                        "  {guard}{} := {rules};",
                        self.names[atoms[0] as usize]
                    )?;
                }
            }
        }
        for group in &self.system.order {
            if !self.system.atoms[group[0] as usize].by_move {
                self.helpers(group, "", text, guard)?;
            }
        }
        writeln!(text, "  {guard}skip")
    }

    /// Assigns to helpers that are variables; those that need each other until nothing changes.
    fn helpers(
        &self,
        group: &[u32],
        old: &str,
        text: &mut String,
        guard: &str,
    ) -> std::fmt::Result {
        if !is_variable(self.system, group[0]) {
            return Ok(());
        }
        let mut rounds = 1;
        if self.system.is_recursive(group) {
            for &id in group {
                writeln!(text, "  {guard}{} := False;", self.names[id as usize])?;
            }
            rounds = group.len();
        }
        for _ in 0..rounds {
            for &id in group {
                writeln!(
                    text,
                    "  {guard}{} := {};",
                    self.names[id as usize],
                    self.rules(id, old)
                )?;
            }
        }
        Ok(())
    }

    fn protocols(&self, text: &mut String) -> std::fmt::Result {
        for (role, name) in self.system.roles.iter().enumerate() {
            writeln!(text, "protocol \"{name}\" (env)\nbegin")?;
            let ways: Vec<String> = self.moves[role]
                .iter()
                .zip(&self.system.legal[role])
                .map(|(made, &legal)| format!("{} -> <<{made}>>", self.value(legal, "")))
                .collect();
            let terminal = self.value(self.system.terminal, "");
            writeln!(
                text,
                "  do neg {terminal} -> if {} fi od\nend\n",
                ways.join(" [] ")
            )?;
        }
        Ok(())
    }

    fn value(&self, value: Value, old: &str) -> String {
        match value {
            Value::Always(true) => "True".to_owned(),
            Value::Always(false) => "False".to_owned(),
            Value::Atom(id) => self.atom(id, old),
        }
    }

    /// An atom in a condition: of the state before the moves, with `_old`, or after them.
    fn atom(&self, id: u32, old: &str) -> String {
        let atom = &self.system.atoms[id as usize];
        if let Some((group, value)) = self.typed.get(&id) {
            return format!("{group}{old} == {value}");
        }
        let own = &self.names[id as usize];
        match atom.kind {
            Kind::Fluent => format!("{own}{old}"),
            // A variable that does not depend on the moves has its old value until it gets the new.
            Kind::Helper if !is_variable(self.system, id) => {
                let old = if atom.by_move { "_old" } else { old };
                format!("{own}{old}")
            }
            Kind::Helper | Kind::Percept(_) => own.clone(),
        }
    }

    /// Clark's completion of the rules of an atom.
    fn rules(&self, id: u32, old: &str) -> String {
        let ways: Vec<String> = self.system.atoms[id as usize]
            .rules
            .iter()
            .map(|body| {
                let all: Vec<String> = body
                    .iter()
                    .map(|&(refer, fails)| {
                        let text = match refer {
                            Refer::Does(role, number) => format!(
                                "did_{} == {}",
                                self.system.roles[role as usize],
                                self.moves[role as usize][number as usize]
                            ),
                            Refer::Atom(other) => self.atom(other, old),
                        };
                        if fails { format!("neg ({text})") } else { text }
                    })
                    .collect();
                match all.is_empty() {
                    true => "True".to_owned(),
                    false => format!("({})", all.join(" /\\ ")),
                }
            })
            .collect();
        match ways.is_empty() {
            true => "False".to_owned(),
            false => ways.join(" \\/ "),
        }
    }
}

/// A name of letters, digits and underscores that no other has.
fn unique(text: &str, taken: &mut BTreeMap<String, u32>) -> String {
    let text = text.strip_prefix("(true ").unwrap_or(text);
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    let name = words
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join("_");
    let name = match name.is_empty() {
        true => "atom".to_owned(),
        false => name,
    };
    let count = taken.entry(name.clone()).or_insert(0);
    *count += 1;
    match *count {
        1 => name,
        count => {
            let other = format!("{name}_{count}");
            unique(&other, taken)
        }
    }
}
