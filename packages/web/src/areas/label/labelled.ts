import type { LabelItem } from '@backstock/contract/label-text.ts'

/** The items to label: some items, in their order, or all items that an import made or changed. */
export type Labelled = { items: readonly LabelItem[] } | { importId: number }
