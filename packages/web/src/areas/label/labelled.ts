import type { LabelItem } from '@backstock/contract/label-text.ts'

/** The items to label: the given ones in their order, or all items that an import has made or changed. */
export type Labelled = { items: readonly LabelItem[] } | { importId: number }
