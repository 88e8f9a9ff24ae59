import type { LabelItem } from '@backstock/contract/label-text.ts'

/** What labels are printed of: some items, in their order, or whatever an import made or changed. */
export type Labelled = { items: readonly LabelItem[] } | { importId: number }
