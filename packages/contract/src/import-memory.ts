import { z } from 'zod'
import { DEFAULT_FIELDS } from './csv-columns.ts'
import { Timestamp } from './fields.ts'
import { NAMED_FIELDS } from './import-preview.ts'
import { idsFilter, listQuery } from './page.ts'

/** An entry of the memory for a supplier's files, or, without a supplier, for the reader's own files. */
export const ImportMemory = z.object({
  id: z.int(),
  /** Null: of this person's files without a supplier. */
  supplier_id: z.int().nullable(),
  supplier_name: z.string().nullable(),
  /** The meaning of a column, the meaning of a name, or a value that a file lacks. */
  kind: z.enum(['column', 'value', 'default']),
  /** Only for a name or a lacking value. */
  field: z.enum([...NAMED_FIELDS, ...DEFAULT_FIELDS, 'purchase_fx_rate']).nullable(),
  /** The name in the file; empty for a lacking value, and a rate's currency. */
  name: z.string(),
  /** A column's target; else the name that is meant. A product has its own. */
  means: z.string().nullable(),
  said_by_name: z.string().nullable(),
  used_at: Timestamp,
})
export type ImportMemory = z.infer<typeof ImportMemory>

export const ImportMemoryQuery = listQuery(['id', 'name', 'used_at'], { supplier_id: idsFilter }, 'used_at_desc')
