// The JSON in the import's columns for a preview.

import type { FieldErrors } from '@backstock/contract/answer.ts'
import type { DefaultField } from '@backstock/contract/csv-columns.ts'
import type {
  ColumnTarget,
  FileNote,
  ImportPreview,
  NamedField,
  NewItem,
  PreviewColumn,
  RECOGNISED_BY,
  Remembered,
  SeveralMeans,
  UnknownName,
} from '@backstock/contract/import-preview.ts'
import type { Dollar } from '@backstock/contract/import-prices.ts'
import type { Change } from '@backstock/contract/log.ts'
import type { SplitModel } from '@backstock/contract/split-model.ts'

export type DecimalMark = ',' | '.'

export type SettingsColumn = {
  field: ColumnTarget
  how: (typeof RECOGNISED_BY)[number]
  /** The remembered meaning from earlier files of this supplier or person. Previews of older versions lack it. */
  last?: PreviewColumn['last']
  samples: string[]
  /** The mark before hundredths in the column's cells; null if no cell shows it, `mixed` if the cells differ. */
  decimal: DecimalMark | 'mixed' | null
  /** The marks of the column's amounts that have three digits after them. They may mean thousands. */
  threePlaces?: DecimalMark[]
  /** The part that comes first in the column's dates; null if no date shows it. */
  dates: 'day' | 'month' | 'mixed' | null
  /** Whether some of the column's dates may mean two days. */
  hasBothDays?: boolean
  /** Whether the cells are IMEIs, and not serial numbers of which some look like IMEIs. */
  areImeis?: boolean
  /** Whether the column only ticks items, so that an empty cell means no. */
  ticks?: boolean
  /** Whether the cells are shares such as 0.87, so that 1 means 100%. */
  areShares?: boolean
}

/**
 * The meaning of a name. If `means` is null, the remembered meaning is deleted. `isChosen` means that a person chose it
 * for this file, and that it does not come from memory.
 */
export type Meaning = {
  field: NamedField
  seen: string
  means: string | null
  isChosen?: boolean
  remembered?: Remembered
}

/** The settings for reading a file. Previews of older versions lack the optional ones. */
export type PreviewSettings = {
  format: 'csv' | 'xlsx'
  sheets: string[]
  sheet: string | null
  notes?: FileNote[]
  leaves_out_hidden?: boolean
  delimiter: string | null
  encoding: string | null
  encoding_guessed?: boolean
  /** Null if the file has no header. */
  header_row: number | null
  top: ImportPreview['top']
  titles: string[]
  /** The columns, in the order of the header. */
  columns: SettingsColumn[]
  /** The mark before hundredths that a person chose; null if the cells of the price columns decide. */
  decimal: DecimalMark | null
  /** The part that comes first in dates, chosen by a person; null if the purchase dates decide. */
  dates?: 'day' | 'month' | null
  defaults: Partial<Record<DefaultField, string>>
  /** The exchange rates by currency. If one is null, the remembered rate is deleted. */
  rates?: Record<string, string | null>
  rememberedRates?: Record<string, Remembered>
  /** The imports from which the remembered defaults come. */
  rememberedDefaults?: Partial<Record<DefaultField, Remembered>>
  meanings: Meaning[]
  /** The currency of prices with the sign `$` alone, if a person has chosen one. */
  dollar?: Dollar
  /** The import from which the remembered meaning of `$` comes. */
  rememberedDollar?: Remembered
  /** The meaning of rows with several IMEIs, if a person has chosen one. */
  several?: SeveralMeans
}

/** The summary of a plan. */
export type PlanSummary = Pick<ImportPreview, 'counts'> & {
  /** When the first row was checked. Plans of older versions lack it. */
  begun_at?: string
  /**
   * The id of the newest log entry at that time; later entries are about changes since. Plans of older versions lack
   * it.
   */
  last_entry?: string
  reasons: Omit<ImportPreview['reasons'][number], 'asks'>[]
  unknown: UnknownName[]
  currencies?: Omit<ImportPreview['currencies'][number], 'rate' | 'remembered'>[]
  /** The keys (`meaningKey`) of the meanings that rows of the file use. */
  used: string[]
  /** The number of rows in which a spreadsheet's error counts as an empty cell, and the first of these rows. */
  errors?: { count: number; first: number[] }
  /** The number of new items whose rows have a quantity other than 1, and the first of these rows. */
  quantities?: { count: number; first: number[] }
  /** The notes about the file's rows. */
  notes?: FileNote[]
  several?: { rows: number; items: number }
  /** The number of prices with the sign `$` alone. */
  dollars?: number
  /** The number of items whose network lock comes from an empty cell. */
  blankLocks?: Record<'locked' | 'unlocked', number>
}

/**
 * The columns by which rows were split: that of the IMEIs, those about a row as a whole, and the price if each new row
 * has its share of it. `decimal` is the mark by which the price was read.
 */
export type SplitBy = { imei: number; of_row: number[]; price: number | null; decimal: DecimalMark | null }

/**
 * The rows of a part of the file that were split because they had several IMEIs. `rows` has, by line, the cells of the
 * row before (by column). `of` has, for each new row, the line that it comes from. Rows that the last release has split
 * lack `by`, and `rows` has only their changed cells.
 */
export type Pieces = {
  rows: Record<string, Record<string, string>>
  of: Record<string, number>
  by?: SplitBy
  /**
   * By line, the cells that a person has corrected in a split row that was put together since: that of the IMEI at
   * place `at` of the line `of`.
   */
  typed?: Record<string, { of: number; at: number; cells: Record<string, string> }>
}

/**
 * The models of the file, by `modelKey`, that were taken apart because the catalogue has them under another name, or
 * because the catalogue shows their make.
 */
export type SplitModels = Record<string, SplitModel>

/**
 * The plan for a row, with records by their names. `print` is a hash of the whole new item; `becomes` has only the
 * fields that differ from the defaults.
 */
export type PlannedRow =
  | { kind: 'new'; product: string; print: string; becomes?: Partial<NewItem> }
  | { kind: 'updated'; id: number; product: string; changes: Change[] }
  | { kind: 'unchanged'; id: number; product: string }
  | { kind: 'failed'; errors: FieldErrors }
