import type { Hundredths } from '@backstock/contract/money.ts'
import { Button, Text } from '@mantine/core'
import { Money } from '../../ui/money.tsx'
import { type DraftLine, priceOf } from './draft-lines.ts'
import type { SaleFigures } from './figures.tsx'
import classes from './sale.module.css'

type Props = { selling: readonly DraftLine[]; figures: SaleFigures; saving: boolean; onCreate: () => void }

/** The bar that stays in sight on both tabs: makes the sale and says what it comes to. */
export function DraftBar({ selling, figures, saving, onCreate }: Props) {
  const unpriced = selling.filter((line) => priceOf(line) === null).length
  return (
    <div className={classes['bar']}>
      <Button loading={saving} disabled={selling.length === 0} onClick={onCreate}>
        Create Sale ({selling.length.toLocaleString('en')})
      </Button>
      {unpriced > 0 && (
        <Text size="sm" fw={550} className={classes['unpriced'] ?? ''}>
          {unpriced.toLocaleString('en')} without a price
        </Text>
      )}
      <dl className={classes['barFigures']}>
        <Figure name="Excl. VAT" amount={figures.net} />
        <Figure name="Incl. VAT" amount={figures.gross} onPhone />
        <Figure name="Profit" amount={figures.profit} />
      </dl>
    </div>
  )
}

function Figure({ name, amount, onPhone = false }: { name: string; amount: Hundredths; onPhone?: boolean }) {
  return (
    <div className={onPhone ? undefined : classes['notOnPhone']}>
      <dt>{name}</dt>
      <dd>
        <Money amount={amount} />
      </dd>
    </div>
  )
}
