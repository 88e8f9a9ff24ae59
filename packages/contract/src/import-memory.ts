import { z } from 'zod'
import { DEFAULT_FIELDS } from './csv-columns.ts'
import { Timestamp } from './fields.ts'
import { NAMED_FIELDS } from './import-preview.ts'
import { idsFilter, listQuery } from './page.ts'

/** What previews remember of a supplier's files, or, without a supplier, of the person's own who reads this. */
export const ImportMemory = z.object({
  id: z.int(),
  /** Null: of this person's files without a supplier. */
  supplier_id: z.int().nullable(),
  supplier_name: z.string().nullable(),
  /** What a column holds, what a name means, or what a file lacks. */
  kind: z.enum(['column', 'value', 'default']),
  /** Of a name or of what a file lacks. */
  field: z.enum([...NAMED_FIELDS, ...DEFAULT_FIELDS, 'purchase_fx_rate']).nullable(),
  /** As the file has it; empty of what it lacks, of a rate its currency. */
  name: z.string(),
  /** Of a column its target; else the name that is meant, of a product its own. */
  means: z.string().nullable(),
  said_by_name: z.string().nullable(),
  used_at: Timestamp,
})
export type ImportMemory = z.infer<typeof ImportMemory>

export const ImportMemoryQuery = listQuery(['id', 'name', 'used_at'], { supplier_id: idsFilter }, 'used_at_desc')
