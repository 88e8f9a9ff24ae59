import { ActionIcon, Tooltip } from '@mantine/core'
import IconHelp from '@tabler/icons-react/dist/esm/icons/IconHelp.mjs'
import { useRouterState } from '@tanstack/react-router'
import { PlainLink } from '../ui/values/link.tsx'
import { helpOf } from './help-of.ts'

/** The address of the manual's page about the current screen. */
export const useHelp = () => useRouterState({ select: ({ location }) => helpOf(location.pathname) })

/** The button in the top bar that opens the manual's page about the current screen. */
export function HelpLink({ className }: { className: string }) {
  return (
    <Tooltip label="Help with this screen">
      <ActionIcon
        component={PlainLink}
        to={useHelp()}
        variant="subtle"
        color="gray"
        size="lg"
        aria-label="Help"
        className={className}
      >
        <IconHelp size={20} stroke={1.6} />
      </ActionIcon>
    </Tooltip>
  )
}
