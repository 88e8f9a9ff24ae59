import type { Sale } from '@backstock/contract/sale.ts'
import { Button, Menu } from '@mantine/core'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import { apiUrl } from '../../../api/client.ts'

type Packed = { sale: Pick<Sale, 'id' | 'items'> }

/** Whether the sale has items that are packed, or were. */
export const hasPapers = ({ items }: Packed['sale']) => items.some(({ available }) => available)

/** A menu with the papers for picking and packing. Each opens in a tab of its own, from which it is printed. */
export function SalePapers({ sale: { id, items } }: Packed) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" rightSection={<IconChevronDown size={14} />}>
          Print
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          component="a"
          href={apiUrl(`sale/${id}/pick-list`)}
          target="_blank"
          disabled={!items.some(({ available, returned }) => available && !returned)}
        >
          Pick list
        </Menu.Item>
        <Menu.Item component="a" href={apiUrl(`sale/${id}/delivery-note`)} target="_blank">
          Delivery note
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
