import type { StockRow } from '@backstock/contract/stock.ts'
import { Anchor, Button, Group, Loader, Menu, Text } from '@mantine/core'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { apiUrl } from '../../api/client.ts'
import { useMe } from '../../api/session.ts'
import { confirmDialog } from '../../ui/feedback/confirm-dialog.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { DeviceName } from '../../ui/values/device-name.tsx'
import { PlainLink, recordPath, TextLink } from '../../ui/values/link.tsx'
import type { EditProps } from '../bulk/edit-dialog.tsx'
import { useBasket } from './basket.ts'
import classes from './basket-menu.module.css'
import { clearSaleItems, writeStorageData } from './storage-data.ts'

const SHOWN_AT_FIRST = 5
const REMOVE_ALL = 'Are you sure you want to remove all of the items from your basket?'
const REMOVE_SELECTED = 'Are you sure you want to remove all of the selected items from your basket?'

type Props = {
  /** Called with true when a dialog opens, and with false when it has closed. */
  onAsking: (asking: boolean) => void
  /** Opens the bulk edit of these items. `preset` holds values that are chosen from the start. */
  onEdit: (items: readonly StockRow[], preset?: EditProps['preset']) => void
  /** Opens the labels of all items. */
  onPrint: () => void
  /** Opens the dialog that sets a price for each group of items. */
  onPrice: (items: readonly StockRow[]) => void
}

/** The items of the basket with its actions. */
export function BasketContent({ onAsking, onEdit, onPrint, onPrice }: Props) {
  const { items, isPending, error, refetch, remove } = useBasket()
  const [all, setAll] = useState(false)
  const [editing, setEditing] = useState(false)
  /** True if the person has declined to empty the basket: the focus returns to the button. */
  const [kept, setKept] = useState(false)
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const chosen = items.filter((item) => selected.has(item.id))
  const empty = items.length === 0
  const inbound = items.filter(({ status }) => status === 'Inbound')

  const select = (id: number, on: boolean) => {
    const next = new Set(selected)
    if (on) next.add(id)
    else next.delete(id)
    setSelected(next)
  }
  const stopEditing = () => {
    setEditing(false)
    setSelected(new Set())
  }
  const takeOut = async () => {
    onAsking(true)
    const sure = await confirmDialog(editing ? REMOVE_SELECTED : REMOVE_ALL, 'Remove')
    onAsking(false)
    setKept(!sure)
    if (!sure) return
    const gone = new Set((editing ? chosen : items).map((item) => item.id))
    stopEditing()
    await remove(gone)
  }
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (isPending)
    return (
      <Group justify="center" p="xl">
        <Loader size={20} aria-label="Loading the basket" />
      </Group>
    )
  return (
    <>
      <div className={classes['head']}>
        <Text fw={600}>Basket</Text>
        {!empty && (
          <Group gap={4}>
            <More onEdit={() => onEdit(items)} onPrice={() => onPrice(items)} onPrint={onPrint} />
            <Button
              size="compact-sm"
              variant="subtle"
              aria-pressed={editing}
              onClick={() => (editing ? stopEditing() : setEditing(true))}
            >
              {editing ? 'Done' : 'Edit'}
            </Button>
          </Group>
        )}
      </div>
      {empty ? (
        <EmptyBasket />
      ) : (
        <ul className={classes['items']}>
          {(all ? items : items.slice(0, SHOWN_AT_FIRST)).map((item) => (
            <Item
              key={item.id}
              item={item}
              selected={editing ? selected.has(item.id) : null}
              onSelect={(on) => select(item.id, on)}
            />
          ))}
        </ul>
      )}
      {items.length > SHOWN_AT_FIRST && <ShowAll all={all} count={items.length} onChange={setAll} />}
      {inbound.length > 0 && (
        <div className={classes['next']}>
          <Button variant="light" fullWidth onClick={() => onEdit(inbound, { status: 'In Stock' })}>
            Receive {inbound.length.toLocaleString('en')} Inbound {inbound.length === 1 ? 'item' : 'items'}
          </Button>
        </div>
      )}
      <div className={classes['actions']}>
        <SellOrBatch items={items} />
        <Button
          variant="default"
          className={classes['remove'] ?? ''}
          disabled={editing ? chosen.length === 0 : empty}
          data-autofocus={kept || undefined}
          onClick={() => void takeOut()}
        >
          {editing ? 'Remove' : 'Empty'}
        </Button>
      </div>
    </>
  )
}

/** Says how items get into the basket. */
function EmptyBasket() {
  return (
    <Text component="div" c="dimmed" ta="center" p="xl">
      Basket is empty
      <Text size="sm" mt={4}>
        Tick items in the{' '}
        <TextLink to="/admin/stock" inherit underline="always">
          stock list
        </TextLink>
        , or paste their IMEIs into{' '}
        <TextLink to="/admin/quick-order" inherit underline="always">
          Quick Order
        </TextLink>
        : then sell them or put them into a batch.
      </Text>
    </Text>
  )
}

/** Shows all items of a long basket, or only the first ones again. */
function ShowAll({ all, count, onChange }: { all: boolean; count: number; onChange: (all: boolean) => void }) {
  return (
    <div className={classes['more']}>
      <Anchor component="button" type="button" size="sm" aria-expanded={all} onClick={() => onChange(!all)}>
        {all ? 'Show less' : 'Show more'}
      </Anchor>
      {!all && (
        <Text size="sm" c="dimmed">
          {SHOWN_AT_FIRST} of {count.toLocaleString('en')}
        </Text>
      )}
    </div>
  )
}

/** The buttons that go to another screen with all items of the basket. */
function SellOrBatch({ items }: { items: readonly StockRow[] }) {
  const navigate = useNavigate()
  const empty = items.length === 0
  // A new `visit` makes it a navigation even if the screen is open already.
  const visit = (to: string) => void navigate({ to, state: { visit: Date.now() } as never })
  const sell = () => {
    clearSaleItems()
    visit('/admin/sale/create')
  }
  const toBatch = (to: string) => {
    writeStorageData({ batchStockItemIds: items.map((item) => item.id), movingFromBatch: null })
    visit(to)
  }
  return (
    <>
      <Button disabled={empty} onClick={sell}>
        Sale
      </Button>
      <Button variant="default" disabled={empty} onClick={() => toBatch('/admin/batch/create')}>
        New Batch
      </Button>
      <Button variant="default" disabled={empty} onClick={() => toBatch('/admin/batch/add-to-batch')}>
        Add to Batch
      </Button>
    </>
  )
}

type MoreProps = { onEdit: () => void; onPrice: () => void; onPrint: () => void }

/**
 * A menu of further actions for all items. It is drawn inside the basket's dropdown, because a click outside would
 * close the dropdown.
 */
function More({ onEdit, onPrice, onPrint }: MoreProps) {
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <Button size="compact-sm" variant="subtle" rightSection={<IconChevronDown size={14} />}>
          More
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onEdit}>Edit items</Menu.Item>
        <Menu.Item onClick={onPrice}>Price by group</Menu.Item>
        <Menu.Item component={PlainLink} to="/admin/offer?basket=1">
          Make an offer
        </Menu.Item>
        <Menu.Item component={PlainLink} to="/admin/purchase-receipt/create?basket=1">
          Purchase receipt
        </Menu.Item>
        <Menu.Item onClick={onPrint}>Print labels</Menu.Item>
        <Menu.Item component="a" href={apiUrl(`user/${useMe().id}/basket/pick-list`)} target="_blank">
          Pick list
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

type ItemProps = {
  item: StockRow
  /** Null if the item has no box to tick. */
  selected: boolean | null
  onSelect: (on: boolean) => void
}

/** Items have native checkboxes, because a basket may show thousands at once. */
function Item({ item, selected, onSelect }: ItemProps) {
  return (
    <li className={classes['item']}>
      {selected !== null && (
        <input
          type="checkbox"
          aria-label={`Select #${item.id}`}
          checked={selected}
          onChange={(event) => onSelect(event.currentTarget.checked)}
        />
      )}
      <TextLink to={recordPath('stock', item.id)} size="sm" fw={550}>
        #{item.id}
      </TextLink>
      <span className={classes['name']} title={item.product_display_name}>
        <DeviceName name={item.product_display_name} />
      </span>
      <span className={classes['batch']} title={item.batch_name ?? 'Not in a batch'}>
        {item.batch_id ?? '-'}
      </span>
    </li>
  )
}
