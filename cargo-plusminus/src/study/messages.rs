//! The cost of messages: the line through the times of instances that are messages of several lengths (DBPP 3.5.3).

use plusminus::{record::Record, results};

use super::{advice::message_times, extras::MessageCost};

/// Start-up time and time per unit of each benchmark of a record whose instances have at least three amounts of work.
pub(super) fn costs(record: &Record) -> Vec<MessageCost> {
    let tables = results::tables(record);
    let rows = tables.iter().flat_map(|table| &table.rows);
    rows.filter_map(|row| {
        let mut lengths = Vec::new();
        let mut times = Vec::new();
        for (number, instance) in row.case.instances.iter().enumerate() {
            lengths.push(instance.work.first()?.1);
            times.push(row.instance_time(number)?.estimate.value);
        }
        let unit = row.case.instances.first()?.work.first()?.0.clone();
        let (start_up_ns, per_unit_ns) = message_times(&lengths, &times)?;
        let (variant, point) = (row.case.function.clone(), row.case.point.clone());
        Some(MessageCost { variant, point, start_up_ns, per_unit_ns, unit })
    })
    .collect()
}
