/** The pages of the manual by job, in the order in which people need them. Each has the name of its file. */
export const JOBS = [
  { title: 'Getting started', pages: ['first-hour', 'dashboard', 'searching', 'shortcuts'] },
  { title: 'Goods in', pages: ['goods-in', 'devices', 'products', 'purchase-receipts', 'labels'] },
  { title: 'In stock', pages: ['stock', 'finding', 'views', 'bulk-edit', 'pricing', 'batches', 'scanning'] },
  {
    title: 'Selling',
    pages: ['quick-order', 'sales', 'offers', 'customers', 'payments', 'reminders', 'bank-statements'],
  },
  { title: 'Returns and claims', pages: ['returns', 'supplier-claims'] },
  { title: 'Documents and VAT', pages: ['invoices-and-credit-notes', 'vat', 'accounting', 'accounting-tables'] },
  { title: 'Your company', pages: ['company', 'staff', 'partners', 'partner-api'] },
] as const satisfies { title: string; pages: string[] }[]

/** The name of a page: that of its file without the ending. */
export type ManualPage = (typeof JOBS)[number]['pages'][number]
