import type { Hundredths } from '@backstock/contract/money.ts'
import { Button, Text } from '@mantine/core'
import { Money } from '../../../ui/values/money.tsx'
import { withoutPrice } from '../../../ui/values/without-price.ts'
import type { SaleFigures } from '../figures.tsx'
import classes from '../sale.module.css'
import type { DraftLine } from './lines.ts'

type Props = {
  selling: readonly DraftLine[]
  figures: SaleFigures
  /** The number of items whose VAT treatment is not possible. */
  refused: number
  saving: boolean
  onCreate: () => void
}

/**
 * The bar at the end of a new sale, in sight on both tabs. It stores the sale and shows its totals. If items are left
 * out of the totals, it says how many.
 */
export function DraftBar({ selling, figures, refused, saving, onCreate }: Props) {
  const { items, unpriced = 0, unreadable = 0 } = figures
  const isPriced = items > unpriced + unreadable
  const shown = (amount: Hundredths) => (isPriced ? amount : null)
  return (
    <div className={classes['bar']}>
      <Button loading={saving} disabled={selling.length === 0} onClick={onCreate}>
        Create Sale ({selling.length.toLocaleString('en')})
      </Button>
      {unpriced + unreadable + refused > 0 && (
        <Text component="div" size="sm" fw={550} role="status" className={classes['leftOut'] ?? ''}>
          {unreadable > 0 && (
            <span data-bad>
              {unreadable.toLocaleString('en')} {unreadable === 1 ? 'price' : 'prices'} cannot be read
            </span>
          )}
          {refused > 0 && (
            <span data-bad>
              the VAT chosen for {refused.toLocaleString('en')} {refused === 1 ? 'item' : 'items'} is not allowed
            </span>
          )}
          {unpriced > 0 && <span>{withoutPrice(unpriced)}</span>}
        </Text>
      )}
      <dl className={classes['barFigures']}>
        <Figure name="Excl. VAT" amount={shown(figures.net)} />
        <Figure name="Incl. VAT" amount={shown(figures.gross)} onPhone />
        <Figure name="Profit" amount={shown(figures.profit)} />
      </dl>
    </div>
  )
}

function Figure({ name, amount, onPhone = false }: { name: string; amount: Hundredths | null; onPhone?: boolean }) {
  return (
    <div className={onPhone ? undefined : classes['notOnPhone']}>
      <dt>{name}</dt>
      <dd>
        <Money amount={amount} />
      </dd>
    </div>
  )
}
