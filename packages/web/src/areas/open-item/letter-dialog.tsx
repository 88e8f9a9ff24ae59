import type { WriteAnswer } from '@backstock/contract/answer.ts'
import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'
import type { CustomerAccount, Letter, LetterInput, OpenItem } from '@backstock/contract/letter.ts'
import {
  LEVEL_NAMES,
  type LetterKind,
  nextLevel,
  REMINDER_LEVELS,
  type ReminderLevel,
  skippingTo,
} from '@backstock/contract/letter-kind.ts'
import { someOf } from '@backstock/contract/some-of.ts'
import { Alert, Button, Group, Modal, SimpleGrid, Stack } from '@mantine/core'
import { useRef, useState } from 'react'
import { api, idempotencyKey } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { invalidate } from '../../api/reads.ts'
import { saveFile } from '../../api/save-file.ts'
import { Select } from '../../ui/fields/select.tsx'
import { LANGUAGES } from '../../widgets/language-choices.ts'
import { LetterFacts, LetterNotes } from './letter-facts.tsx'

type Props = { account: CustomerAccount; kind: LetterKind; items: readonly OpenItem[]; onClose: () => void }

/** Shows what a letter will say and to whom it goes. The person sends it, downloads it, or only looks at it. */
export default function LetterDialog({ account, kind, items, onClose }: Props) {
  const isReminder = kind === 'reminder'
  const proposed = nextLevel(items.map(({ last_level }) => last_level))
  const [level, setLevel] = useState<ReminderLevel>(proposed)
  const [lang, setLang] = useState<InvoiceLanguage>(account.lang)
  const [running, setRunning] = useState<'email' | 'download' | 'look' | null>(null)
  const [trouble, setTrouble] = useState<string | null>(null)
  /** The newest letter when the dialog opened. If a colleague sends a statement meanwhile, this one is refused. */
  const [newest_letter] = useState(account.letters[0]?.id ?? null)
  /** The idempotency key: if the request is sent twice, the server makes one letter. */
  const key = useRef(idempotencyKey())
  const total = items.reduce((sum, { open }) => sum + open, 0)
  const what = isReminder ? 'reminder' : 'statement'
  const body = (way: LetterInput['way']): LetterInput => ({
    ...{ kind, lang, way, total, newest_letter },
    ...(isReminder && { level, documents: items.flatMap(({ document_id }) => document_id ?? []) }),
  })
  const attempt = async (how: NonNullable<typeof running>, work: () => Promise<unknown>) => {
    setRunning(how)
    setTrouble(null)
    try {
      await work()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (!error.isOutage) key.current = idempotencyKey()
      setTrouble(error.message)
    } finally {
      setRunning(null)
    }
  }
  const look = () =>
    attempt('look', async () => {
      const call = { body: body('download'), isFile: true, silent: true, tellsTrouble: true }
      saveFile(await api.post<Blob>(`open-item/${account.id}/letter/preview`, call), `${what}-draft.pdf`)
    })
  const make = (way: LetterInput['way']) =>
    attempt(way, async () => {
      const call = { body: body(way), idempotent: key.current, tellsTrouble: true }
      const { data } = await api.post<WriteAnswer<Letter>>(`open-item/${account.id}/letter`, call)
      if (way === 'download')
        saveFile(await api.get<Blob>(`letter/${data.id}/pdf`, { isFile: true }), `${what} ${data.made_on}.pdf`)
      await invalidate('open-item', 'sale', 'customer')
      onClose()
    })
  const close = async () => {
    // After an error the screen may show an old state, so it is read again.
    if (trouble) await invalidate('open-item')
    onClose()
  }
  const choose =
    <Value,>(set: (value: Value) => void) =>
    (value: string | null) => {
      key.current = idempotencyKey()
      if (value !== null) set((/^\d$/.test(value) ? Number(value) : value) as Value)
    }
  const skipping = isReminder ? skippingTo(level, items) : []
  return (
    <Modal
      opened
      size="lg"
      onClose={() => void close()}
      title={isReminder ? 'Reminder' : 'Statement'}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="sm">
        {trouble && (
          <Alert color="red" role="alert">
            {trouble}
          </Alert>
        )}
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          {isReminder && (
            <Select
              label="Level"
              data-autofocus
              data={REMINDER_LEVELS.map((value) => ({ value: String(value), label: `${value} ${LEVEL_NAMES[value]}` }))}
              value={String(level)}
              onChange={choose(setLevel)}
            />
          )}
          <Select label="Language" data={LANGUAGES} value={lang} onChange={choose(setLang)} />
        </SimpleGrid>
        {skipping.length > 0 && (
          <Alert color="orange" role="status">
            {namesOf(skipping)} {skipping.length === 1 ? 'has' : 'have'} not had level {level - 1}.
          </Alert>
        )}
        <LetterFacts account={account} isReminder={isReminder} items={items} total={total} />
        <LetterNotes account={account} isReminder={isReminder} count={items.length} />
        <Group justify="flex-end" gap="xs">
          <Button variant="subtle" loading={running === 'look'} disabled={running !== null} onClick={() => void look()}>
            Look at a draft
          </Button>
          <Button
            variant="default"
            loading={running === 'download'}
            disabled={running !== null}
            onClick={() => void make('download')}
          >
            Download
          </Button>
          <Button loading={running === 'email'} disabled={running !== null} onClick={() => void make('email')}>
            Send {what}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

const NAMED = 3
const namesOf = (items: readonly OpenItem[]) =>
  someOf(
    items.map(({ number, sale_id }) => number ?? `Sale #${sale_id}`),
    NAMED,
  )
