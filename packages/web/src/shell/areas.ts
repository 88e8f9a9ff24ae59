import type { User } from '@backstock/contract/user.ts'
import IconAddressBook from '@tabler/icons-react/dist/esm/icons/IconAddressBook.mjs'
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import IconArrowsExchange from '@tabler/icons-react/dist/esm/icons/IconArrowsExchange.mjs'
import IconBarcode from '@tabler/icons-react/dist/esm/icons/IconBarcode.mjs'
import IconBuilding from '@tabler/icons-react/dist/esm/icons/IconBuilding.mjs'
import IconBuildingBank from '@tabler/icons-react/dist/esm/icons/IconBuildingBank.mjs'
import IconBuildingFactory2 from '@tabler/icons-react/dist/esm/icons/IconBuildingFactory2.mjs'
import IconCalculator from '@tabler/icons-react/dist/esm/icons/IconCalculator.mjs'
import IconCategory from '@tabler/icons-react/dist/esm/icons/IconCategory.mjs'
import IconColumns3 from '@tabler/icons-react/dist/esm/icons/IconColumns3.mjs'
import IconDashboard from '@tabler/icons-react/dist/esm/icons/IconDashboard.mjs'
import IconDeviceMobile from '@tabler/icons-react/dist/esm/icons/IconDeviceMobile.mjs'
import IconFileExport from '@tabler/icons-react/dist/esm/icons/IconFileExport.mjs'
import IconFileInvoice from '@tabler/icons-react/dist/esm/icons/IconFileInvoice.mjs'
import IconPackage from '@tabler/icons-react/dist/esm/icons/IconPackage.mjs'
import IconPalette from '@tabler/icons-react/dist/esm/icons/IconPalette.mjs'
import IconPlugConnected from '@tabler/icons-react/dist/esm/icons/IconPlugConnected.mjs'
import IconReceipt2 from '@tabler/icons-react/dist/esm/icons/IconReceipt2.mjs'
import IconReceiptTax from '@tabler/icons-react/dist/esm/icons/IconReceiptTax.mjs'
import IconRosette from '@tabler/icons-react/dist/esm/icons/IconRosette.mjs'
import IconScan from '@tabler/icons-react/dist/esm/icons/IconScan.mjs'
import IconTag from '@tabler/icons-react/dist/esm/icons/IconTag.mjs'
import IconTruckDelivery from '@tabler/icons-react/dist/esm/icons/IconTruckDelivery.mjs'
import IconTruckReturn from '@tabler/icons-react/dist/esm/icons/IconTruckReturn.mjs'
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import { isAdmin } from '../api/session.ts'
import type { ManualPage } from '../areas/help/jobs.ts'
import { areaScreens, listScreen, type Screen, screen } from '../crud/screen.ts'
import type { Resource } from './resource-screen.tsx'

type Entry = {
  /** The name in the menu. */
  menu: string
  /** Whether the area has no entry in the menu, because screens of another area lead to it. */
  isBeside?: true
  /** The title of the area's screens, if it differs from the name in the menu. */
  title?: string
  Icon: typeof IconUsers
  /** The page of the manual about the area's screens. */
  help: ManualPage
  shown?: (me: User) => boolean
  /** The screens by operation. An area without them has routes of its own in routes.tsx. */
  screens?: Record<string, Screen>
}

/**
 * All areas in the menu, in its order. The key is the path: `colour` is at /admin/colour. Screens that people set up
 * once are in a group that starts folded.
 */
const GROUPS: { title: string | null; isFolded?: boolean; areas: Record<string, Entry> }[] = [
  {
    title: null,
    areas: {
      stock: {
        menu: 'Stock',
        title: 'Stock Overview',
        Icon: IconDeviceMobile,
        help: 'stock',
        screens: {
          list: listScreen(() => import('../areas/stock/list-page.tsx')),
          create: screen(() => import('../areas/stock/create-page.tsx')),
          edit: screen(() => import('../areas/stock/edit-page.tsx')),
          import: screen(() => import('../areas/import/import-page.tsx')),
          'import-memory': listScreen(() => import('../areas/import-memory.tsx')),
        },
      },
      batch: {
        menu: 'Batch',
        title: 'Batch Overview',
        Icon: IconPackage,
        help: 'batches',
        screens: {
          list: listScreen(() => import('../areas/batch/list-page.tsx')),
          create: screen(() => import('../areas/batch/create-page.tsx')),
          edit: screen(() => import('../areas/batch/edit-page.tsx')),
          'add-to-batch': screen(() => import('../areas/batch/add-to-batch-page.tsx')),
        },
      },
      sale: {
        menu: 'Sales',
        title: 'Sales Overview',
        Icon: IconReceipt2,
        help: 'sales',
        screens: {
          list: listScreen(() => import('../areas/sale/list/list-page.tsx')),
          create: screen(
            () => import('../areas/sale/draft/create-page.tsx'),
            async () => (await import('../areas/sale/draft/items-source.ts')).readSaleAhead(),
          ),
          edit: screen(() => import('../areas/sale/record/edit-page.tsx')),
        },
      },
      document: {
        menu: 'Documents',
        Icon: IconFileInvoice,
        help: 'invoices-and-credit-notes',
        screens: { list: listScreen(() => import('../areas/document/list-page.tsx')) },
      },
      'purchase-receipt': {
        menu: 'Purchase receipts',
        isBeside: true,
        Icon: IconFileInvoice,
        help: 'purchase-receipts',
        screens: {
          list: listScreen(() => import('../areas/purchase-receipt/list-page.tsx')),
          create: screen(() => import('../areas/purchase-receipt/create-page.tsx')),
          edit: screen(() => import('../areas/purchase-receipt/edit-page.tsx')),
        },
      },
      return: {
        menu: 'Returns',
        Icon: IconArrowBackUp,
        help: 'returns',
        screens: {
          list: listScreen(() => import('../areas/return/list-page.tsx')),
          create: screen(() => import('../areas/return/create-page.tsx')),
          edit: screen(() => import('../areas/return/edit-page.tsx')),
        },
      },
      'supplier-claim': {
        menu: 'Supplier claims',
        Icon: IconTruckReturn,
        help: 'supplier-claims',
        screens: {
          list: listScreen(() => import('../areas/supplier-claim/list-page.tsx')),
          create: screen(() => import('../areas/supplier-claim/create-page.tsx')),
          edit: screen(() => import('../areas/supplier-claim/edit-page.tsx')),
        },
      },
      'stock/check': { menu: 'Deliveries', Icon: IconScan, help: 'goods-in' },
      scan: { menu: 'Scan', Icon: IconBarcode, help: 'scanning' },
      accounting: { menu: 'Accounting', Icon: IconCalculator, help: 'accounting', shown: isAdmin },
      'bank-entry': {
        menu: 'Bank statements',
        Icon: IconBuildingBank,
        help: 'bank-statements',
        shown: isAdmin,
        screens: { list: listScreen(() => import('../areas/bank-entry/list-page.tsx')) },
      },
      dashboard: { menu: 'Dashboard', Icon: IconDashboard, help: 'dashboard' },
    },
  },
  {
    title: 'Users',
    areas: {
      user: {
        menu: 'Staff',
        Icon: IconUsers,
        help: 'staff',
        screens: areaScreens(async () => (await import('../areas/user.tsx')).user),
      },
      customer: {
        menu: 'Customer',
        Icon: IconAddressBook,
        help: 'customers',
        screens: areaScreens(async () => (await import('../areas/customer/customer.tsx')).customer),
      },
      partner: {
        menu: 'Partner',
        Icon: IconPlugConnected,
        help: 'partners',
        shown: isAdmin,
        screens: areaScreens(async () => (await import('../areas/partner/partner.tsx')).partner),
      },
    },
  },
  {
    title: 'Manage',
    isFolded: false,
    areas: {
      supplier: {
        menu: 'Supplier',
        Icon: IconTruckDelivery,
        help: 'products',
        screens: areaScreens(async () => (await import('../areas/supplier.tsx')).supplier),
      },
      product: {
        menu: 'Product',
        Icon: IconTag,
        help: 'products',
        screens: areaScreens(async () => (await import('../areas/product.tsx')).product),
      },
      make: {
        menu: 'Make',
        Icon: IconBuildingFactory2,
        help: 'products',
        screens: areaScreens(async () => (await import('../areas/make.tsx')).make),
      },
      colour: {
        menu: 'Colour',
        Icon: IconPalette,
        help: 'products',
        screens: areaScreens(async () => (await import('../areas/colour.tsx')).colour),
      },
      category: {
        menu: 'Category',
        Icon: IconCategory,
        help: 'products',
        screens: areaScreens(async () => (await import('../areas/category.tsx')).category),
      },
      vat: {
        menu: 'VAT',
        Icon: IconReceiptTax,
        help: 'vat',
        screens: {
          ...areaScreens(async () => (await import('../areas/vat/vat.tsx')).vat),
          list: listScreen(() => import('../areas/vat/list-page.tsx')),
        },
      },
    },
  },
  {
    title: 'Setup',
    isFolded: true,
    areas: {
      grade: {
        menu: 'Grade',
        Icon: IconRosette,
        help: 'devices',
        screens: areaScreens(async () => (await import('../areas/grade.tsx')).grade),
      },
      'reverse-charge-rule': {
        menu: 'Reverse charge',
        Icon: IconArrowsExchange,
        help: 'vat',
        shown: isAdmin,
        screens: areaScreens(async () => (await import('../areas/reverse-charge-rule.tsx')).reverseChargeRule),
      },
      company: { menu: 'Company', Icon: IconBuilding, help: 'company', shown: isAdmin },
      datev: { menu: 'DATEV', Icon: IconFileExport, help: 'accounting-tables', shown: isAdmin },
      'further-column': {
        menu: 'Further columns',
        Icon: IconColumns3,
        help: 'goods-in',
        shown: isAdmin,
        screens: { list: listScreen(() => import('../areas/further-column.tsx')) },
      },
    },
  },
]

export type MenuItem = { title: string; to: string; Icon: typeof IconUsers; shown?: (me: User) => boolean }

/** `isFolded` says whether the group starts folded. If undefined, the group cannot be folded. */
export type MenuGroup = { title: string | null; isFolded?: boolean | undefined; items: MenuItem[] }

export const MENU: MenuGroup[] = GROUPS.map(({ title, isFolded, areas }) => ({
  title,
  isFolded,
  items: Object.entries(areas)
    .filter(([, { isBeside }]) => !isBeside)
    .map(([area, { menu, screens: _, help: __, isBeside: ___, ...entry }]) => ({
      ...entry,
      title: menu,
      to: `/admin/${area}`,
    })),
}))

/** Areas outside the menu, to which other screens lead. */
const BESIDE_THE_MENU: Record<string, Resource> = {
  'open-item': {
    title: 'Open items',
    screens: { list: listScreen(() => import('../areas/open-item/list-page.tsx')) },
  },
}

/** The areas whose screens are found by the generic route /admin/{resource}/{operation}. */
export const RESOURCES: Record<string, Resource> = Object.fromEntries([
  ...Object.entries(BESIDE_THE_MENU),
  ...GROUPS.flatMap(({ areas }) => Object.entries(areas)).flatMap(([area, { menu, title = menu, screens }]) =>
    screens ? ([[area, { title, screens }]] as const) : [],
  ),
])

/** The page of the manual for each area. */
export const AREA_HELP: Record<string, ManualPage> = Object.fromEntries(
  GROUPS.flatMap(({ areas }) => Object.entries(areas)).map(([area, { help }]) => [area, help]),
)
