import type { Db } from '../../../db/connect.ts'
import type { PreviewSettings, TakenApart } from '../../../db/preview-columns.ts'
import { mapWithPauses } from '../read/map-with-pauses.ts'
import type { CsvRow, ParsedRow } from '../read/parse-row.ts'
import { settleSerials } from './known-serials.ts'
import { lookForModels, modelsOf, productsMeant, settleProduct } from './products-of-rows.ts'
import { type Found, translationOf } from './translation.ts'
import { vatCalled } from './vat-called.ts'

export type PreviewReader = {
  rows(rows: readonly CsvRow[]): Promise<ParsedRow[]>
  /** The meanings that rows have needed. */
  used: ReadonlySet<string>
  models: ReadonlyMap<string, TakenApart[string]>
  /** The facts for a person about the rows that were read. */
  found: Found
  /** Rows whose make is the catalogue's, by their models with it: `Galaxy S21 (Samsung)`. */
  makes: ReadonlyMap<string, number>
  /** Rows whose model keeps a number that may be working memory, by their models. */
  memories: ReadonlyMap<string, number>
}
type Preview = {
  header: readonly string[]
  settings: PreviewSettings
  updateExisting: boolean
  /** As the plan has found them; null while it is made, because it looks for them. */
  models: TakenApart | null
}

/** Reads the rows of a preview's file, the same for its plan and for its import. */
export async function previewReader(
  db: Db,
  { header, settings, updateExisting, models }: Preview,
): Promise<PreviewReader> {
  const translation = translationOf(header, settings, updateExisting, await vatCalled(db))
  const known = modelsOf(models)
  const products = await productsMeant(db, settings)
  return {
    async rows(rows) {
      const parsed = await mapWithPauses(rows, translation.read)
      await settleSerials(db, parsed)
      if (!models) await lookForModels(db, parsed, known)
      for (const row of parsed) settleProduct(row, known, products, translation)
      return parsed
    },
    used: translation.used,
    models: known.apart,
    found: translation.found,
    makes: known.makes,
    memories: known.memories,
  }
}
