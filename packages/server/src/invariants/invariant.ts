/**
 * A rule that must always hold for the stored data. `violations` is a query that only reads. For each violation it
 * answers one row with one text column, `violation`, which names the records by id. The query states the rule
 * independently of the code that writes, so that it also finds mistakes in that code.
 */
export type Invariant = { name: string; violations: string }
