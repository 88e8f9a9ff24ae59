import { Batch } from '@backstock/contract/batch.ts'
import { Category } from '@backstock/contract/category.ts'
import { Colour } from '@backstock/contract/colour.ts'
import { Customer } from '@backstock/contract/customer.ts'
import { Grade } from '@backstock/contract/grade.ts'
import { Make } from '@backstock/contract/make.ts'
import { Partner } from '@backstock/contract/partner.ts'
import { Product } from '@backstock/contract/product.ts'
import { ReceiptProposal } from '@backstock/contract/purchase-receipt.ts'
import { ReverseChargeRule } from '@backstock/contract/reverse-charge-rule.ts'
import { StockItem } from '@backstock/contract/stock.ts'
import { Supplier } from '@backstock/contract/supplier.ts'
import { SupplierClaim } from '@backstock/contract/supplier-claim.ts'
import { User } from '@backstock/contract/user.ts'
import { Vat } from '@backstock/contract/vat.ts'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import type { RecordArea, RecordRow } from '../crud/area.ts'
import { blank } from '../testing/blank.ts'
import { filled } from '../testing/filled.ts'
import { batchDetails } from './batch/batch-form.tsx'
import { category } from './category.tsx'
import { colour } from './colour.tsx'
import { customer } from './customer/customer.tsx'
import { grade } from './grade.tsx'
import { make } from './make.tsx'
import { partner } from './partner/partner.tsx'
import { product } from './product.tsx'
import { receiptForm } from './purchase-receipt/receipt-form.tsx'
import { reverseChargeRule } from './reverse-charge-rule.tsx'
import { stockRecord } from './stock/stock-form.tsx'
import { supplier } from './supplier.tsx'
import { claimDetails } from './supplier-claim/claim-form.tsx'
import { settleArea } from './supplier-claim/settle-dialog.tsx'
import { user } from './user.tsx'
import { vat } from './vat/vat.tsx'

const AREAS = [
  [batchDetails, Batch],
  [category, Category],
  [claimDetails, SupplierClaim],
  [colour, Colour],
  [customer, Customer],
  [grade, Grade],
  [make, Make],
  [partner, Partner],
  [product, Product],
  [reverseChargeRule, ReverseChargeRule],
  [stockRecord, StockItem],
  [supplier, Supplier],
  [user, User],
  [vat, Vat],
] as unknown as [RecordArea<RecordRow, object>, z.ZodObject][]

const me = blank(User, { roles: ['ROLE_ADMIN'] })

test.each(AREAS.map(([area, schema]) => [area.area, area, schema] as const))(
  'the form of %s sends what a record has and what a new one begins with, and says what else has changed then',
  (_, area, schema) => {
    const sent = (row: RecordRow | null) => {
      const values = area.values(row, me)
      return area.input?.(values, row) ?? values
    }
    const known = filled(schema) as RecordRow
    const empty = blank(schema) as unknown as RecordRow
    const { alsoChanges = [] } = area
    expect({ new: sent(null), known: sent(known), empty: sent(empty), alsoChanges }).toMatchSnapshot()
  },
)

test('the form of a purchase receipt sends its items, and the end of an identity document only with its kind', () => {
  const proposal = filled(ReceiptProposal)
  const form = receiptForm(proposal)
  const values = form.values(null, me)
  const sent = (seller: Partial<typeof values.seller>) =>
    form.input?.({ ...values, seller: { ...values.seller, ...seller } }, null)
  expect(values.seller).toMatchObject({ identity_kind: '', identity_end: '' })
  const items = proposal.lines.map(({ stock_id }) => stock_id)
  expect(sent({ identity_kind: 'passport', identity_end: '4711' })).toEqual({
    ...{ ...values, items, token: proposal.token },
    seller: { ...values.seller, identity_kind: 'passport', identity_end: '4711' },
  })
  expect(sent({ identity_end: '4711' })).toMatchObject({ seller: { identity_kind: '', identity_end: '' } })
})

test('the end of a claim sends one credit, or that of each item, and never a credit that was refused', () => {
  const claim = blank(SupplierClaim, { id: 7, reference: 'RMA 5', total_cost: 5_000 })
  const end = (credits: [number, number][], back: number[], said: Partial<SupplierClaim> = {}) => {
    const { values, input } = settleArea({ ...claim, ...said }, new Map(credits), new Set(back))
    const begun = values(null, me)
    const ends = [begun, { ...begun, state: 'refused' as const }].map((one) => {
      const { settled_on, ...rest } = { ...input?.(one, null) } as Record<string, unknown>
      expect(settled_on).toBe(begun.settled_on)
      return rest
    })
    return { sent: ends[0], refused: ends[1] }
  }
  const usual = { reference: 'RMA 5', items_back: false }
  expect(end([], [3])).toEqual({
    sent: { ...usual, state: 'settled', credit_received: 5_000, items: [{ id: 3, is_back: true }] },
    refused: { ...usual, state: 'refused', items: [{ id: 3, credit: null, is_back: true }] },
  })
  expect(end([], [], { credit_expected: 4_000 }).sent).toMatchObject({ credit_received: 4_000, items: [] })
  expect(end([], [], { credit_expected: 0 }).sent).toMatchObject({ credit_received: 0 })
  const credits: [number, number][] = [
    [1, 1_000],
    [3, 250],
  ]
  expect(end(credits, [3, 4], { credit_expected: 4_000 })).toMatchObject({
    sent: {
      credit_received: 1_250,
      items: [
        { id: 3, credit: 250, is_back: true },
        { id: 4, is_back: true },
        { id: 1, credit: 1_000, is_back: false },
      ],
    },
    refused: {
      items: [
        { id: 3, credit: null, is_back: true },
        { id: 4, credit: null, is_back: true },
      ],
    },
  })
})
