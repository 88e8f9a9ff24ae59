import { VIES_PAGE } from '@backstock/contract/vat-check-doubt.ts'
import { Anchor, Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import { lazyPart } from '../../api/lazy-part.ts'
import { useAct } from '../../ui/feedback/use-act.ts'
import { FocusBack } from '../../ui/layout/focus-back.tsx'
import { sendCheck } from './reads.ts'
import classes from './vat-check.module.css'

const TypedCheck = lazyPart(() => import('./typed-check.tsx'))

type Props = { customerId: number; number: string; mayAsk: boolean; today: string }

/** The buttons that check a customer's VAT number: by the server, or by a person on the Commission's page. */
export function VatCheckActs({ customerId, number, mayAsk, today }: Props) {
  const [asking, run] = useAct()
  const [typing, setTyping] = useState(false)
  const ask = () => run(() => sendCheck(customerId, 'vat-check/ask', {}))
  return (
    <div className={classes['acts']}>
      {mayAsk && (
        <Button size="xs" variant="default" loading={asking} onClick={() => void ask()}>
          Ask VIES
        </Button>
      )}
      <Button size="xs" variant="default" onClick={() => setTyping(true)}>
        Enter an answer
      </Button>
      <Anchor href={VIES_PAGE} target="_blank" rel="noreferrer" size="sm" c="inherit" underline="always">
        The VIES website
      </Anchor>
      {typing && (
        <Suspense>
          <FocusBack />
          <TypedCheck customerId={customerId} number={number} today={today} onClose={() => setTyping(false)} />
        </Suspense>
      )}
    </div>
  )
}
