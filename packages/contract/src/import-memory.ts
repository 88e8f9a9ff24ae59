import { z } from 'zod'
import { DEFAULT_FIELDS } from './csv-columns.ts'
import { Timestamp } from './fields.ts'
import { NAMED_FIELDS } from './import-preview.ts'
import { idsFilter, listQuery } from './page.ts'

/** One entry of the memory for a supplier's files; without a supplier, for the files of the person who asks. */
export const ImportMemory = z.object({
  id: z.int(),
  /** Null if the entry belongs to the files without a supplier of the person who asks. */
  supplier_id: z.int().nullable(),
  supplier_name: z.string().nullable(),
  /** The entry holds the meaning of a column, the meaning of a name, or a value that the file lacks. */
  kind: z.enum(['column', 'value', 'default']),
  /** The field of a name or of a lacking value; null for a column. */
  field: z.enum([...NAMED_FIELDS, ...DEFAULT_FIELDS, 'purchase_fx_rate']).nullable(),
  /** The name in the file. It is empty for a lacking value; for an exchange rate it is the currency. */
  name: z.string(),
  /**
   * A column's target, the name of the record that a name means (for a product, its whole name), or the lacking value.
   */
  means: z.string().nullable(),
  said_by_name: z.string().nullable(),
  used_at: Timestamp,
})
export type ImportMemory = z.infer<typeof ImportMemory>

export const ImportMemoryQuery = listQuery(['id', 'name', 'used_at'], { supplier_id: idsFilter }, 'used_at_desc')
