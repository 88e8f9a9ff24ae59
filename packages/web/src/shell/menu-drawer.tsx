import { Drawer } from '@mantine/core'
import { onLinkClick } from '../ui/layout/on-link-click.ts'
import { Sidebar } from './sidebar.tsx'

/** The menu on narrow screens: a drawer. */
export default function MenuDrawer({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Drawer.Root opened={opened} onClose={onClose} size={280} zIndex={1055}>
      <Drawer.Overlay />
      <Drawer.Content aria-label="Menu" onClick={onLinkClick(onClose)}>
        <Sidebar />
      </Drawer.Content>
    </Drawer.Root>
  )
}
