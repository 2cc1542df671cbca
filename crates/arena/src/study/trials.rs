//! The records of a ledger as CSV: a line for each trial, for those who want to reckon themselves.

use serde::Serialize;
use serde_json::Value;

use crate::table::quoted;

/// All records, with a column for each value that one of them has; `seats.1.goal` is the goal in
/// the second of the seats.
pub(super) fn csv<R: Serialize>(records: &[R]) -> serde_json::Result<String> {
    let mut columns: Vec<String> = Vec::new();
    let mut rows: Vec<Vec<(usize, String)>> = Vec::new();
    for record in records {
        let mut row = Vec::new();
        flatten(
            String::new(),
            &serde_json::to_value(record)?,
            &mut |path, text| {
                let known = columns.iter().position(|column| *column == path);
                let place = known.unwrap_or_else(|| {
                    columns.push(path);
                    columns.len() - 1
                });
                row.push((place, text));
            },
        );
        rows.push(row);
    }
    let mut text = written(columns.iter());
    for row in rows {
        let mut cells = vec![String::new(); columns.len()];
        for (place, cell) in row {
            cells[place] = cell;
        }
        text += &written(cells.iter());
    }
    Ok(text)
}

fn written<'a>(cells: impl Iterator<Item = &'a String>) -> String {
    let cells: Vec<String> = cells.map(|cell| quoted(cell)).collect();
    cells.join(",") + "\n"
}

/// Tells each value that has no parts, with the way to it.
fn flatten(path: String, value: &Value, tell: &mut dyn FnMut(String, String)) {
    let below = |name: &str| match path.is_empty() {
        true => name.to_owned(),
        false => format!("{path}.{name}"),
    };
    match value {
        Value::Object(parts) => {
            for (name, part) in parts {
                flatten(below(name), part, tell);
            }
        }
        Value::Array(parts) => {
            for (place, part) in parts.iter().enumerate() {
                flatten(below(&place.to_string()), part, tell);
            }
        }
        Value::Null => tell(path, String::new()),
        Value::String(text) => tell(path, text.clone()),
        other => tell(path, other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::csv;
    use serde_json::json;

    #[test]
    fn every_value_has_a_column() {
        let records = [
            json!({ "cell": "a, b", "goals": [100, 0] }),
            json!({ "cell": "c", "goals": [50], "cut": true, "none": null }),
        ];
        let text = csv(&records).unwrap();
        assert_eq!(
            text,
            "cell,goals.0,goals.1,cut,none\n\"a, b\",100,0,,\nc,50,,true,\n"
        );
        assert_eq!(csv::<u8>(&[]).unwrap(), "\n");
    }
}
