import type { WriteAnswer } from '@backstock/contract/answer.ts'
import type { Letter } from '@backstock/contract/letter.ts'
import { LETTER_STATE_NAMES, levelName } from '@backstock/contract/letter-kind.ts'
import { someOf } from '@backstock/contract/some-of.ts'
import { Button, Title } from '@mantine/core'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import { api, apiUrl } from '../../api/client.ts'
import { invalidate } from '../../api/reads.ts'
import { useAct } from '../../ui/feedback/use-act.ts'
import { formatDate } from '../../ui/fields/date-format.ts'
import { Panel } from '../../ui/layout/panel.tsx'
import { Money } from '../../ui/values/money.tsx'
import classes from './open-item.module.css'

/** The letters to a customer, newest first, each with its state and its PDF. */
export function Letters({ letters, sendsMail }: { letters: readonly Letter[]; sendsMail: boolean }) {
  return (
    <Panel>
      <Title order={2} mb="xs">
        Letters
      </Title>
      {letters.length === 0 ? (
        <p className={classes['none']}>No statements or reminders yet.</p>
      ) : (
        <ul className={classes['letters']} aria-label="Letters">
          {letters.map((letter) => (
            <Line key={letter.id} letter={letter} sendsMail={sendsMail} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Line({ letter, sendsMail }: { letter: Letter; sendsMail: boolean }) {
  const { id, level, numbers, invoices, total, state, error, recipient, created_by_name, made_on, pay_by } = letter
  const [sending, run] = useAct()
  const name = level === null ? 'Statement' : levelName(level)
  const about = [
    numbers.length > 0 && someOf(numbers, numbers.length, invoices),
    pay_by && `to be paid by ${formatDate(pay_by, 'dd/MM/yyyy')}`,
    created_by_name && `by ${created_by_name}`,
  ].filter(Boolean)
  const send = async () => {
    await run(() => api.post<WriteAnswer<Letter>>(`letter/${id}/send`, { idempotent: true }))
    await invalidate('open-item', 'sale', 'customer')
  }
  const maySend = state === 'failed' || state === 'unclear' || (state === 'saved' && sendsMail)
  return (
    <li>
      <span className={classes['letter']}>
        <span>
          {formatDate(made_on, 'dd/MM/yyyy')} · {name}
        </span>
        <small>{about.join(' · ')}</small>
        <small data-state={state}>
          {LETTER_STATE_NAMES[state]}
          {recipient && state !== 'downloaded' && ` · to ${recipient}`}
          {error && `. ${error}`}
        </small>
      </span>
      <span>
        <Money amount={total} />
      </span>
      <span className={classes['buttons']}>
        {maySend && (
          <Button
            variant="default"
            size="compact-sm"
            loading={sending}
            aria-label={`Send letter #${id} again`}
            onClick={() => void send()}
          >
            Send again
          </Button>
        )}
        <a
          className={classes['pdf']}
          href={apiUrl(`letter/${id}/pdf`)}
          target="_blank"
          rel="noreferrer"
          aria-label={`PDF of letter #${id}`}
          title="Download the PDF"
        >
          <IconDownload size={16} />
        </a>
      </span>
    </li>
  )
}
