/**
 * Something that must always be true of the data. `violations` is a query that only reads and answers one row, with one
 * text column `violation`, for each thing that breaks it; the text names the records by id. It restates the rule on its
 * own, so that a mistake in the code that writes cannot hide here too.
 */
export type Invariant = { name: string; violations: string }
