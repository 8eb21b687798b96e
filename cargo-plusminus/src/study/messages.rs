//! The cost of messages: the line through the times of instances that are messages of several lengths (DBPP 3.5.3).

use plusminus::{record::Record, results};

use super::{advice::message_times, extras::MessageCost};

/// Units of work that are messages.
const MESSAGES: [&str; 2] = ["messages", "round trips"];

/// Start-up time and time per unit of each benchmark of a record that sends messages of at least three lengths: its first
/// kind of work counts them, its second is their contents.
pub(super) fn costs(record: &Record) -> Vec<MessageCost> {
    let tables = results::tables(record);
    let rows = tables.iter().flat_map(|table| &table.rows);
    rows.filter_map(|row| {
        let (mut lengths, mut times) = (Vec::new(), Vec::new());
        for (number, instance) in row.case.instances.iter().enumerate() {
            let [(counted, messages), (_, contents), ..] = &instance.work[..] else { return None };
            if !MESSAGES.contains(&&**counted) {
                return None;
            }
            lengths.push(contents / messages);
            times.push(row.instance_time(number)?.estimate.value / messages);
        }
        let unit = row.case.instances.first()?.work.get(1)?.0.clone();
        let (start_up_ns, per_unit_ns) = message_times(&lengths, &times)?;
        let (variant, point) = (row.case.function.clone(), row.case.point.clone());
        Some(MessageCost { variant, point, start_up_ns, per_unit_ns, unit })
    })
    .collect()
}
