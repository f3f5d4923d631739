//! The difference between two JSON values, as a JSON value. Most of a frame is numbers that have grown a little since
//! the frame before, and differences are short and alike.
//!
//! | of | the change is |
//! | --- | --- |
//! | whole numbers | what is to be added |
//! | lists of one length of whole numbers | what is to be added to each, as short text |
//! | other lists of one length | the changes of their items, 0 for one that stays |
//! | objects | the changes of what changed; `null` for what went, `{"=": it}` for what came |
//! | anything else | `{"=": the new value}` |

use crate::run::compact::{Numbers, push_signed, signed};
use serde_json::{Map, Value, json};

/// The change from `old` to `new`; `None` when they are equal.
pub fn change(old: &Value, new: &Value) -> Option<Value> {
    if old == new {
        return None;
    }
    let differences = match (old, new) {
        (Value::Number(old), Value::Number(new)) => {
            whole(old).zip(whole(new)).and_then(|(old, new)| difference(old, new).map(Value::from))
        }
        (Value::Array(old), Value::Array(new)) if old.len() == new.len() => of_lists(old, new).or_else(|| {
            let items = old.iter().zip(new).map(|(old, new)| change(old, new).unwrap_or(json!(0)));
            Some(Value::Array(items.collect()))
        }),
        (Value::Object(old), Value::Object(new)) => Some(Value::Object(of_objects(old, new))),
        _ => None,
    };
    differences.or_else(|| Some(json!({ "=": new })))
}

fn of_objects(old: &Map<String, Value>, new: &Map<String, Value>) -> Map<String, Value> {
    let mut changes = Map::new();
    for (name, new) in new {
        let change = match old.get(name) {
            Some(old) => change(old, new),
            None => Some(json!({ "=": new })),
        };
        changes.extend(change.map(|change| (name.clone(), change)));
    }
    let gone = old.keys().filter(|name| !new.contains_key(*name));
    changes.extend(gone.map(|name| (name.clone(), Value::Null)));
    changes
}

/// The number to add to each item of `old`; `None` when an item is not a whole number.
fn of_lists(old: &[Value], new: &[Value]) -> Option<Value> {
    let mut by = String::new();
    for (old, new) in old.iter().zip(new) {
        let (Value::Number(old), Value::Number(new)) = (old, new) else { return None };
        push_signed(&mut by, difference(whole(old)?, whole(new)?)?);
    }
    Some(Value::String(by))
}

/// The number to add, if it fits in `i64` and is not its minimum.
fn difference(old: i128, new: i128) -> Option<i64> {
    i64::try_from(new.checked_sub(old)?).ok().filter(|by| *by != i64::MIN)
}

fn whole(number: &serde_json::Number) -> Option<i128> {
    number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from))
}

/// Applies a change to the old value; `None` when the change does not fit that value.
pub fn changed(old: &Value, change: &Value) -> Option<Value> {
    if let Value::Object(parts) = change
        && let (1, Some(new)) = (parts.len(), parts.get("="))
    {
        return Some(new.clone());
    }
    match (old, change) {
        (Value::Number(old), Value::Number(by)) => sum(old, whole(by)?),
        (Value::Array(old), Value::String(changes)) => {
            let mut by = Numbers::new(changes);
            let item = |old: &Value| match old {
                Value::Number(old) => sum(old, signed(by.next()??).into()),
                _ => None,
            };
            let items = old.iter().map(item).collect::<Option<Vec<Value>>>()?;
            by.next().is_none().then_some(Value::Array(items))
        }
        (Value::Array(old), Value::Array(changes)) if old.len() == changes.len() => {
            let stays = |change: &Value| change.as_i64() == Some(0);
            let items = old.iter().zip(changes);
            let items = items.map(|(old, change)| if stays(change) { Some(old.clone()) } else { changed(old, change) });
            items.collect::<Option<Vec<Value>>>().map(Value::Array)
        }
        (Value::Object(old), Value::Object(changes)) => {
            let mut new = old.clone();
            for (name, change) in changes {
                match (change, old.get(name)) {
                    (Value::Null, _) => drop(new.remove(name)),
                    (change, Some(old)) => drop(new.insert(name.clone(), changed(old, change)?)),
                    (change, None) => drop(new.insert(name.clone(), changed(&Value::Null, change)?)),
                }
            }
            Some(Value::Object(new))
        }
        _ => None,
    }
}

fn sum(old: &serde_json::Number, by: i128) -> Option<Value> {
    let new = whole(old)?.checked_add(by)?;
    u64::try_from(new).map(Value::from).or_else(|_| i64::try_from(new).map(Value::from)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            (-9i64..9).prop_map(Value::from),
            (-8i32..8).prop_map(|eighths| Value::from(f64::from(eighths) / 8.0)),
            "[a-c=]{0,2}".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                // The name `=` marks new values.
                prop::collection::btree_map("[a-c]", inner, 0..4)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn a_change_makes_the_new_of_the_old((old, new) in (value(), value())) {
            match change(&old, &new) {
                None => prop_assert_eq!(old, new),
                Some(by) => prop_assert_eq!(changed(&old, &by), Some(new), "{}", by),
            }
        }

        #[test]
        fn no_change_panics((old, by) in (value(), value())) {
            changed(&old, &by);
        }
    }

    #[test]
    fn numbers_that_grow_differ_by_little() {
        let (old, new) = (
            json!({ "nodes": [100, 200], "paused": false, "gone": 1 }),
            json!({ "nodes": [107, 200], "paused": true }),
        );
        assert_eq!(change(&old, &new), Some(json!({ "nodes": "OA", "paused": { "=": true }, "gone": null })));
    }
}
