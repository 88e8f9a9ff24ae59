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
import type { Change } from '@backstock/contract/log.ts'
import type { SplitModel } from '@backstock/contract/split-model.ts'

export type DecimalMark = ',' | '.'

export type SettingsColumn = {
  field: ColumnTarget
  how: (typeof RECOGNISED_BY)[number]
  /** As it was remembered for files of this supplier, or of this person; previews of older times lack it. */
  last?: PreviewColumn['last']
  samples: string[]
  /** The mark before hundredths, as far as the column's cells tell. */
  decimal: DecimalMark | 'mixed' | null
  /** Whether some of its amounts have three places, by the digits before them. */
  threePlaces?: DecimalMark[]
  /** The first part of its dates, as far as they tell. */
  dates: 'day' | 'month' | 'mixed' | null
  /** Whether some of its dates may be two days. */
  hasBothDays?: boolean
  /** Whether its cells are IMEIs as a whole, and not serial numbers that partly look like IMEIs. */
  areImeis?: boolean
  /** Whether the column only ticks: an empty cell means no. */
  ticks?: boolean
}

/** `means` null: the remembered meaning is to be forgotten. `isChosen`: chosen for this file, and not remembered. */
export type Meaning = {
  field: NamedField
  seen: string
  means: string | null
  isChosen?: boolean
  remembered?: Remembered
}

/** The way to read a file. Optional parts lack in previews of older versions. */
export type PreviewSettings = {
  format: 'csv' | 'xlsx'
  sheets: string[]
  sheet: string | null
  notes?: FileNote[]
  leaves_out_hidden?: boolean
  delimiter: string | null
  encoding: string | null
  encoding_guessed?: boolean
  /** Null: the file has none. */
  header_row: number | null
  top?: ImportPreview['top'] | undefined
  titles: string[]
  /** In the order of the header. */
  columns: SettingsColumn[]
  /** Null: as the cells of the price columns tell. */
  decimal: DecimalMark | null
  /** Null: as the purchase dates tell. */
  dates?: 'day' | 'month' | null
  defaults: Partial<Record<DefaultField, string>>
  /** Rates of prices in other currencies, by currency code; null: the remembered rate is to be forgotten. */
  rates?: Record<string, string | null>
  rememberedRates?: Record<string, Remembered>
  /** The people behind the remembered defaults. */
  rememberedDefaults?: Partial<Record<DefaultField, Remembered>>
  meanings: Meaning[]
  /** The meaning of rows with several IMEIs, if a person has chosen it. */
  several?: SeveralMeans
}

/** The summary of a plan. */
export type PlanSummary = Pick<ImportPreview, 'counts'> & {
  /** When its first row was checked; plans of older versions lack it. */
  begun_at?: string
  /** The last entry of the log by then, which later changes of items follow; plans of older versions lack it. */
  last_entry?: string
  reasons: Omit<ImportPreview['reasons'][number], 'asks'>[]
  unknown: UnknownName[]
  currencies?: Omit<ImportPreview['currencies'][number], 'rate' | 'remembered'>[]
  /** The meanings that stand for a name in the file, by `meaningKey`. */
  used: string[]
  /** Rows in which an error of a spreadsheet counts as an empty cell, and the first of them. */
  errors?: { count: number; first: number[] }
  /** New items whose rows say a quantity that is not 1, and the first of these rows. */
  quantities?: { count: number; first: number[] }
  /** The facts about its rows. */
  notes?: FileNote[]
  several?: { rows: number; items: number }
  /** Items whose network lock comes from an empty cell. */
  blankLocks?: Record<'locked' | 'unlocked', number>
}

/**
 * For rows of a part that became several: by line, their old cells (by the numbers of their columns), and the line
 * from which each new row comes.
 */
export type Pieces = { rows: Record<string, Record<string, string>>; of: Record<string, number> }

/** Models of the file that the catalogue has under other names, or whose make it tells, by `modelKey`. */
export type TakenApart = Record<string, SplitModel>

/**
 * The plan for a row, with names for records. `print` stands for the whole new item; `becomes` has its unusual
 * fields.
 */
export type PlannedRow =
  | { kind: 'new'; product: string; print: string; becomes?: Partial<NewItem> }
  | { kind: 'updated'; id: number; product: string; changes: Change[] }
  | { kind: 'unchanged'; id: number; product: string }
  | { kind: 'failed'; errors: FieldErrors }
