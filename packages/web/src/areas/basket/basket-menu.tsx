import type { StockRow } from '@backstock/contract/stock.ts'
import { ActionIcon, Indicator, Popover, Tooltip } from '@mantine/core'
import IconBasket from '@tabler/icons-react/dist/esm/icons/IconBasket.mjs'
import { Suspense, useRef, useState } from 'react'
import { lazyPart } from '../../api/lazy-part.ts'
import { FocusBack } from '../../ui/layout/focus-back.tsx'
import { onLinkClick } from '../../ui/layout/on-link-click.ts'
import { OnVisit, visitOf } from '../../ui/layout/on-visit.tsx'
import type { EditProps } from '../bulk/edit-dialog.tsx'
import { PrintLabels } from '../label/labels.tsx'
import { useBasket } from './basket.ts'
import { BasketContent } from './basket-content.tsx'
import classes from './basket-menu.module.css'

const EditDialog = lazyPart(() => import('../bulk/edit-dialog.tsx'))
const StockPrices = lazyPart(async () => ({ default: (await import('../pricing/dialogs.ts')).StockPrices }))

/** The basket in the top bar: the number of items, and a dropdown with the items and their actions. */
export default function BasketMenu() {
  const { items } = useBasket()
  const [opened, setOpened] = useState(false)
  // While a dialog is open, a click outside of the dropdown does not close the dropdown.
  const [asking, setAsking] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const [printing, setPrinting] = useState(false)
  const [edited, setEdited] = useState<Pick<EditProps, 'which' | 'count' | 'preset'> | null>(null)
  const [priced, setPriced] = useState<readonly StockRow[] | null>(null)

  return (
    <>
      <Popover
        opened={opened}
        onChange={setOpened}
        position="bottom-end"
        width="min(380px, calc(100vw - 16px))"
        trapFocus={!asking}
        returnFocus
        closeOnClickOutside={!asking}
        closeOnEscape={!asking}
      >
        <OnVisit by={visitOf} run={() => setOpened(false)} />
        <Popover.Target>
          <Tooltip label="Basket" disabled={opened}>
            <ActionIcon
              ref={button}
              variant="subtle"
              color="gray"
              size="lg"
              className={classes['button'] ?? ''}
              aria-label={`Basket, ${items.length.toLocaleString('en')} ${items.length === 1 ? 'item' : 'items'}`}
              onClick={() => setOpened((now) => !now)}
            >
              <Indicator
                label={items.length > 999 ? '999+' : items.length}
                disabled={items.length === 0}
                size={16}
                offset={2}
                classNames={{ indicator: classes['count'] ?? '' }}
              >
                <IconBasket size={20} stroke={1.6} />
              </Indicator>
            </ActionIcon>
          </Tooltip>
        </Popover.Target>
        <Popover.Dropdown p={0} aria-label="Basket" onClick={onLinkClick(() => setOpened(false))}>
          <BasketContent
            onAsking={setAsking}
            onPrint={() => {
              setOpened(false)
              setPrinting(true)
            }}
            onEdit={(items, preset = {}) => {
              setOpened(false)
              setEdited({ which: { items: items.map(({ id }) => id) }, count: items.length, preset })
            }}
            onPrice={(items) => {
              setOpened(false)
              setPriced(items)
            }}
          />
        </Popover.Dropdown>
      </Popover>
      {printing && <PrintLabels of={{ items }} backTo={button} onClose={() => setPrinting(false)} />}
      {priced && (
        <Suspense>
          <FocusBack to={button} />
          <StockPrices items={priced} onClose={() => setPriced(null)} />
        </Suspense>
      )}
      {edited && (
        <Suspense>
          <FocusBack to={button} />
          <EditDialog {...edited} onClose={() => setEdited(null)} />
        </Suspense>
      )}
    </>
  )
}
