/** The error for a workbook that cannot be read. Its message is a sentence for the person. */
export class BadWorkbook extends Error {}

export const PROTECTED = 'This workbook is protected by a password. Save it without one first.'
export const DAMAGED = 'This workbook is damaged: it cannot be read to its end.'
export const TOO_MUCH = 'This workbook is too large to open. Save the sheet as CSV first.'
