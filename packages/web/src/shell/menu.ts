import type { User } from '@backstock/contract/user.ts'
import IconAddressBook from '@tabler/icons-react/dist/esm/icons/IconAddressBook.mjs'
import IconBuilding from '@tabler/icons-react/dist/esm/icons/IconBuilding.mjs'
import IconBuildingFactory2 from '@tabler/icons-react/dist/esm/icons/IconBuildingFactory2.mjs'
import IconCategory from '@tabler/icons-react/dist/esm/icons/IconCategory.mjs'
import IconColumns3 from '@tabler/icons-react/dist/esm/icons/IconColumns3.mjs'
import IconDeviceMobile from '@tabler/icons-react/dist/esm/icons/IconDeviceMobile.mjs'
import IconPackage from '@tabler/icons-react/dist/esm/icons/IconPackage.mjs'
import IconPalette from '@tabler/icons-react/dist/esm/icons/IconPalette.mjs'
import IconPlugConnected from '@tabler/icons-react/dist/esm/icons/IconPlugConnected.mjs'
import IconReceipt2 from '@tabler/icons-react/dist/esm/icons/IconReceipt2.mjs'
import IconReceiptTax from '@tabler/icons-react/dist/esm/icons/IconReceiptTax.mjs'
import IconTag from '@tabler/icons-react/dist/esm/icons/IconTag.mjs'
import IconTruckDelivery from '@tabler/icons-react/dist/esm/icons/IconTruckDelivery.mjs'
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import { isAdmin } from '../api/session.ts'

export type MenuItem = { title: string; to: string; Icon: typeof IconUsers; shown?: (me: User) => boolean }
type MenuGroup = { title: string | null; items: readonly MenuItem[] }

const GROUPS = [
  {
    title: null,
    items: [
      { title: 'Stock', to: '/admin/stock', Icon: IconDeviceMobile },
      { title: 'Batch', to: '/admin/batch', Icon: IconPackage },
      { title: 'Sales', to: '/admin/sale', Icon: IconReceipt2 },
    ],
  },
  {
    title: 'Users',
    items: [
      { title: 'Staff', to: '/admin/user', Icon: IconUsers },
      { title: 'Customer', to: '/admin/customer', Icon: IconAddressBook },
      { title: 'Partner', to: '/admin/partner', Icon: IconPlugConnected, shown: isAdmin },
    ],
  },
  {
    title: 'Manage',
    items: [
      { title: 'Supplier', to: '/admin/supplier', Icon: IconTruckDelivery },
      { title: 'Product', to: '/admin/product', Icon: IconTag },
      { title: 'Make', to: '/admin/make', Icon: IconBuildingFactory2 },
      { title: 'Colour', to: '/admin/colour', Icon: IconPalette },
      { title: 'Category', to: '/admin/category', Icon: IconCategory },
      { title: 'VAT', to: '/admin/vat', Icon: IconReceiptTax },
      { title: 'Company', to: '/admin/company', Icon: IconBuilding, shown: isAdmin },
      { title: 'Further columns', to: '/admin/further-column', Icon: IconColumns3, shown: isAdmin },
    ],
  },
] as const satisfies readonly MenuGroup[]

export const MENU: readonly MenuGroup[] = GROUPS

type AreaOf<Path> = Path extends `/admin/${infer Area}` ? Area : never
/** The areas that the menu leads to. `routes.tsx` has screens for each of them, and for no other. */
export type MenuArea = AreaOf<(typeof GROUPS)[number]['items'][number]['to']>
