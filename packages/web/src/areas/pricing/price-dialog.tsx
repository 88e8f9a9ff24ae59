import { Alert, Button, Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useMemo, useState } from 'react'
import { askToLeave, useLeaveGuard } from '../../ui/feedback/leave-guard.ts'
import { PHONE } from '../../ui/layout/phone.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { pageOf, RowPages, rowsOf as rowsOnPage } from '../../ui/table/paged-rows.tsx'
import { withoutPrice } from '../../ui/values/without-price.ts'
import { usePriceColumn } from '../sale/use-price-column.ts'
import { named, priceColumns } from './price-columns.tsx'
import {
  decided,
  type GroupPrice,
  type Item,
  type PriceOf,
  type PriceRow,
  type Rule,
  unpricedIn,
} from './price-rows.ts'
import { PriceRule } from './price-rule.tsx'
import classes from './pricing.module.css'
import { useGroupPrices } from './use-group-prices.ts'

const count = (n: number, one: string) => `${n.toLocaleString('en')} ${one}${n === 1 ? '' : 's'}`
const ownPrice: PriceOf = (item) => item.sales_price

export type PriceDialogProps = {
  items: readonly Item[]
  priceOf?: PriceOf
  /** True (the default) if the prices have no VAT in them. */
  net?: boolean
  /** The largest number of items that can be priced at once. */
  most?: number
  trouble?: ReactNode
  sending?: boolean
  /** Applies the prices. If it returns true, the dialog closes. */
  onApply: (prices: GroupPrice[]) => boolean | Promise<boolean>
  onClose: () => void
}

/**
 * A dialog that sets one price for all items of the same product and grade: by a rule, by typing, or from a pasted
 * column.
 */
export function PriceDialog({ items, priceOf = ownPrice, net = true, ...rest }: PriceDialogProps) {
  const { most = Number.POSITIVE_INFINITY, trouble, sending = false, onApply, onClose } = rest
  const phone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false }) ?? false
  const { groups, said, isTouched, type, paste, fill, forgetSaid } = useGroupPrices(items, priceOf)
  const [rule, setRule] = useState<Rule>({ of: 'purchase_price', percent: '', round: '.00' })
  const [asking, setAsking] = useState(false)
  const [refused, setRefused] = useState(false)
  const [wanted, setPage] = useState(1)
  const endGuard = useLeaveGuard(isTouched)
  const { rows, page, pages } = rowsOnPage(groups, wanted)
  const column = usePriceColumn({ page, pages, onPage: setPage })
  const columns = useMemo(() => {
    const pasteAnew = (id: number, text: string) => {
      setRefused(false)
      paste(id, text)
    }
    return priceColumns(net, type, pasteAnew)
  }, [net, type, paste])
  const prices = decided(groups)
  const wrong = groups.find((row) => row.wrong !== null)
  const priced = prices.reduce((sum, { items: ids }) => sum + ids.length, 0)
  const isTooMany = priced > most
  const apply = async () => {
    // If any price is wrong, even on another page, nothing is applied, and the page with that price opens.
    setRefused(wrong !== undefined)
    if (wrong) return setPage(pageOf(wrong.id - 1))
    if (prices.length === 0 || isTooMany || sending) return
    forgetSaid()
    if (!(await onApply(prices))) return
    endGuard()
    onClose()
  }
  const close = async () => {
    if (sending) return
    setAsking(true)
    if (!isTouched || (await askToLeave())) onClose()
    setAsking(false)
  }
  const ofColumn = [wrong && said.wrong, said.left].filter(Boolean).join(' ')
  const told =
    refused && wrong
      ? `${named(wrong)}: this is not a price. Correct it or empty the field. No price has been set yet.`
      : ofColumn || trouble
  return (
    <Modal
      opened
      onClose={() => void close()}
      closeOnEscape={!asking}
      trapFocus={!asking}
      closeOnClickOutside={false}
      fullScreen={phone}
      size={920}
      title="Price by group"
      classNames={{ title: classes['title'] ?? '', body: classes['body'] ?? '' }}
    >
      <Counts items={items.length} groups={groups} most={most} />
      <PriceRule rule={rule} onRule={setRule} onFill={() => fill(rule)} />
      <div className={classes['groups']} {...column}>
        <DataTable label="Groups" columns={columns} rows={rows} />
      </div>
      <RowPages page={page} pages={pages} total={groups.length} onPage={setPage} noun="groups" />
      <div className={classes['bar']}>
        {told && (
          <Alert color="orange" role="alert" className={classes['told'] ?? ''}>
            {told}
          </Alert>
        )}
        <Button loading={sending} disabled={prices.length === 0 || isTooMany} onClick={() => void apply()}>
          {priced === 0 ? 'Set prices' : `Set ${count(priced, 'price')}`}
        </Button>
        <Button variant="default" disabled={sending} onClick={() => void close()}>
          Cancel
        </Button>
        <span className={classes['hint']}>Enter goes down; a column can be pasted.</span>
      </div>
    </Modal>
  )
}

type CountsProps = { items: number; groups: readonly PriceRow[]; most: number }

/** Says how many items and groups there are, how many have no price, and if there are too many items for one time. */
function Counts({ items, groups, most }: CountsProps) {
  const unpriced = unpricedIn(groups)
  return (
    <>
      <p className={classes['count']}>
        {count(items, 'item')} in {count(groups.length, 'group')}
        {unpriced > 0 && `, ${withoutPrice(unpriced)}`}
      </p>
      {items > most && (
        <Alert color="yellow" mb="sm">
          At most {count(most, 'item')} can be priced at once. Leave some groups empty, and open this again for them.
        </Alert>
      )}
    </>
  )
}
