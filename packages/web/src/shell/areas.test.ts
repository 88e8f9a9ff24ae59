import type { User } from '@backstock/contract/user.ts'
import { expect, test } from 'vitest'
import { MENU, RESOURCES } from './areas.ts'

const groupsFor = (role: User['role']) =>
  MENU.map(({ title, isFolded, items }) => [
    `${title ?? 'no title'}${isFolded === undefined ? '' : isFolded ? ', folded' : ', unfolded'}`,
    ...items
      .filter((item) => item.shown?.({ id: 1, role } as User) ?? true)
      .map(({ title, to }) => `${title} ${to.slice('/admin/'.length)}`),
  ])

test('the menu has each area once, in the order of the work, and what people set up once starts folded', () => {
  expect(groupsFor('ROLE_ADMIN')).toMatchInlineSnapshot(`
    [
      [
        "no title",
        "Stock stock",
        "Batch batch",
        "Sales sale",
        "Documents document",
        "Returns return",
        "Supplier claims supplier-claim",
        "Deliveries stock/check",
        "Scan scan",
        "Accounting accounting",
        "Bank statements bank-entry",
        "Dashboard dashboard",
      ],
      [
        "Users",
        "Staff user",
        "Customer customer",
        "Partner partner",
      ],
      [
        "Manage, unfolded",
        "Supplier supplier",
        "Product product",
        "Make make",
        "Colour colour",
        "Category category",
        "VAT vat",
      ],
      [
        "Setup, folded",
        "Grade grade",
        "Reverse charge reverse-charge-rule",
        "Company company",
        "DATEV datev",
        "Further columns further-column",
      ],
    ]
  `)
})

test('the menu of a colleague leaves out what only administrators do', () => {
  const theirs = new Set(groupsFor('ROLE_USER').flat())
  const hidden = groupsFor('ROLE_ADMIN')
    .flat()
    .filter((one) => !theirs.has(one))
  expect(hidden).toMatchInlineSnapshot(`
    [
      "Accounting accounting",
      "Bank statements bank-entry",
      "Partner partner",
      "Reverse charge reverse-charge-rule",
      "Company company",
      "DATEV datev",
      "Further columns further-column",
    ]
  `)
})

test('each area has its screens and its title', () => {
  const screens = Object.entries(RESOURCES).map(
    ([area, { title, screens }]) => `${area}: ${title} (${Object.keys(screens).join(', ')})`,
  )
  expect(screens).toMatchInlineSnapshot(`
    [
      "open-item: Open items (list)",
      "stock: Stock Overview (list, create, edit, import, import-memory)",
      "batch: Batch Overview (list, create, edit, add-to-batch)",
      "sale: Sales Overview (list, create, edit)",
      "document: Documents (list)",
      "purchase-receipt: Purchase receipts (list, create, edit)",
      "return: Returns (list, create, edit)",
      "supplier-claim: Supplier claims (list, create, edit)",
      "bank-entry: Bank statements (list)",
      "user: Staff (list, create, edit)",
      "customer: Customer (list, create, edit)",
      "partner: Partner (list, create, edit)",
      "supplier: Supplier (list, create, edit)",
      "product: Product (list, create, edit)",
      "make: Make (list, create, edit)",
      "colour: Colour (list, create, edit)",
      "category: Category (list, create, edit)",
      "vat: VAT (list, create, edit)",
      "grade: Grade (list, create, edit)",
      "reverse-charge-rule: Reverse charge (list, create, edit)",
      "further-column: Further columns (list)",
    ]
  `)
})
