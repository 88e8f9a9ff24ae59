import type { Db } from '../../../db/connect.ts'
import type { PreviewSettings, SplitModels } from '../../../db/preview-columns.ts'
import { mapWithPauses } from '../read/map-with-pauses.ts'
import type { CsvRow, ParsedRow } from '../read/parse-row.ts'
import { settleSerials } from './known-serials.ts'
import { lookForModels, modelsOf, productsMeant, settleProduct } from './products-of-rows.ts'
import { type Found, translationOf } from './translation.ts'
import { vatCalled } from './vat-called.ts'

export type PreviewReader = {
  rows(rows: readonly CsvRow[]): Promise<ParsedRow[]>
  /** The meanings that were used for the rows. */
  used: ReadonlySet<string>
  models: ReadonlyMap<string, SplitModels[string]>
  /** Facts about the rows, which a person should know. */
  found: Found
  /** The number of rows whose make comes from the catalogue, by model and make, as in `Galaxy S21 (Samsung)`. */
  makes: ReadonlyMap<string, number>
  /** The number of rows whose model keeps a number that may be working memory, by model. */
  memories: ReadonlyMap<string, number>
}
type Preview = {
  header: readonly string[]
  settings: PreviewSettings
  updateExisting: boolean
  /** The models as the plan has taken them apart; null while the plan is made, because the plan finds them. */
  models: SplitModels | null
}

/** Makes the reader for a preview's file. The plan and the import read rows in the same way. */
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
    models: known.splits,
    found: translation.found,
    makes: known.makes,
    memories: known.memories,
  }
}
