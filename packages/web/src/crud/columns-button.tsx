import { ActionIcon, Popover, Tooltip } from '@mantine/core'
import IconColumns3 from '@tabler/icons-react/dist/esm/icons/IconColumns3.mjs'
import { memo, Suspense, useState } from 'react'
import { lazyPart } from '../api/lazy-part.ts'
import type { ColumnChoice } from './column-choice.ts'
import classes from './list-bar.module.css'
import type { ListChange } from './use-list-state.ts'

const ColumnList = lazyPart(() => import('./column-list.tsx'))

type Props = { choice: ColumnChoice<never>; columns: readonly string[]; onChange: ListChange }

/** The button that opens the choice of columns. It loads the code of the choice at the first press. */
export const ColumnsButton = memo(function ColumnsButton({ choice, columns, onChange }: Props) {
  const [opened, setOpened] = useState(false)
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      width="min(360px, calc(100vw - 16px))"
      middlewares={{ flip: false, shift: { padding: 8 }, size: { padding: 8 } }}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Tooltip label="Columns" disabled={opened}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label="Columns"
            onClick={() => setOpened((now) => !now)}
          >
            <IconColumns3 size={18} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label="Columns" className={classes['dropdown'] ?? ''}>
        <Suspense fallback={<div className={classes['columns']} />}>
          <ColumnList choice={choice} columns={columns} onChange={onChange} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  )
})
