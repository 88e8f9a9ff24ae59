import { type StockStatus, UNSOLD_STATUSES } from '@backstock/contract/stock-status.ts'
import { Button, Menu } from '@mantine/core'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useMemo, useState } from 'react'
import { lazyPart } from '../../api/lazy-part.ts'
import { showToast } from '../../api/toast.ts'
import { useCtrlEnterWhenReady } from '../../ui/layout/use-ctrl-enter.ts'
import { useBasket } from '../basket/basket.ts'
import { writeStorageData } from '../basket/storage-data.ts'
import { givenLines } from '../return/given-lines.ts'
import classes from './scan.module.css'
import { itemsOf, type Scan, unknownOf } from './scan-list.ts'
import type { scanSession } from './scan-session.ts'

const LocationDialog = lazyPart(() => import('./location-dialog.tsx'))

const isHere = ({ status }: { status: StockStatus }) => UNSOLD_STATUSES.some((one) => one === status)

type Props = { scans: readonly Scan[]; session: ReturnType<typeof scanSession> }

/** The actions for all scanned items. */
export function ScanActions({ scans, session }: Props) {
  const basket = useBasket()
  const navigate = useNavigate()
  const [placing, setPlacing] = useState<readonly number[] | null>(null)
  const items = useMemo(() => itemsOf(scans), [scans])
  const here = useMemo(() => items.filter(isHere), [items])
  const sellable = useMemo(
    () => scans.flatMap((one) => (one.result === 'sellable' && one.item ? one.item : [])),
    [scans],
  )

  const collect = () => {
    if (here.every(({ id }) => basket.ids.has(id)))
      showToast({ type: 'info', message: 'All of them are in the basket already.' })
    else void basket.add(here)
  }
  const sell = () => {
    writeStorageData({ saleStockItemIds: sellable.map(({ id }) => id), saleFromBatch: null })
    void navigate({ to: '/admin/sale/create' })
  }
  useCtrlEnterWhenReady(scans.at(-1)?.result !== 'waiting', () => {
    if (sellable.length > 0) sell()
  })
  const takeBack = () => {
    // Several items may have the same serial number. So an item without an IMEI is named by its number.
    const known = items.map(({ id, imei }) => imei ?? `#${id}`)
    void navigate({ to: '/admin/return/create', state: givenLines([...known, ...unknownOf(scans)]) })
  }
  const clear = () => {
    const restore = session.clear()
    const action = { text: 'Undo', run: restore }
    showToast({ type: 'success', message: `${codesText(scans.length)} cleared`, about: 'scan', action })
  }
  return (
    // A fieldset, because toasts never cover its buttons (toast-place.ts).
    <fieldset className={classes['all']} aria-label="All that was scanned">
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            variant="default"
            px="sm"
            aria-label="More"
            className={classes['more'] ?? ''}
            rightSection={<IconChevronDown size={14} stroke={1.6} />}
            disabled={scans.length === 0}
          >
            <span className={classes['notOnPhone']}>More</span>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item disabled={items.length === 0} onClick={() => setPlacing(items.map(({ id }) => id))}>
            Set location
          </Menu.Item>
          <Menu.Item onClick={takeBack}>Return from a customer</Menu.Item>
          <Menu.Item onClick={() => void navigate({ to: '/admin/stock/check' })}>Check a delivery</Menu.Item>
          <Menu.Divider />
          <Menu.Item onClick={clear}>Clear the list</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Button variant="default" px="sm" disabled={here.length === 0 || basket.isPending} onClick={collect}>
        <span className={classes['notOnPhone']}>Add all to basket</span>
        <span className={classes['onPhone']}>To basket</span>
        {withNumber(here.length)}
      </Button>
      <Button px="sm" disabled={sellable.length === 0} onClick={sell}>
        Create Sale{withNumber(sellable.length)}
      </Button>
      {placing && (
        <Suspense>
          <LocationDialog items={placing} onWritten={session.readItems} onClose={() => setPlacing(null)} />
        </Suspense>
      )}
    </fieldset>
  )
}

const withNumber = (n: number) => (n === 0 ? '' : `\u00a0(${n.toLocaleString('en')})`)
const codesText = (n: number) => `${n.toLocaleString('en')} ${n === 1 ? 'code' : 'codes'}`
