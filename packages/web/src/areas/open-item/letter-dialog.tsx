import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'
import type { CustomerAccount, OpenItem } from '@backstock/contract/letter.ts'
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
import { useState } from 'react'
import { invalidate } from '../../api/reads.ts'
import { Select } from '../../ui/fields/select.tsx'
import { LANGUAGES } from '../../widgets/language-choices.ts'
import { LetterFacts, LetterNotes } from './letter-facts.tsx'
import classes from './open-item.module.css'
import { useLetter } from './use-letter.ts'

type Props = { account: CustomerAccount; kind: LetterKind; items: readonly OpenItem[]; onClose: () => void }

/** Shows what a letter will say and to whom it goes. The person sends it, downloads it, or only looks at it. */
export default function LetterDialog({ account, kind, items, onClose }: Props) {
  const isReminder = kind === 'reminder'
  const proposed = nextLevel(items.map(({ last_level }) => last_level))
  const [level, setLevel] = useState<ReminderLevel>(proposed)
  const [lang, setLang] = useState<InvoiceLanguage>(account.lang)
  const total = items.reduce((sum, { open }) => sum + open, 0)
  const { running, trouble, look, make, chooseAnew } = useLetter(
    account,
    {
      ...{ kind, lang, total },
      ...(isReminder && { level, documents: items.flatMap(({ document_id }) => document_id ?? []) }),
    },
    onClose,
  )
  const close = async () => {
    // After an error the screen may show an old state, so it is read again.
    if (trouble) await invalidate('open-item')
    onClose()
  }
  const choose =
    <Value,>(set: (value: Value) => void) =>
    (value: string | null) => {
      chooseAnew()
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
        <Group justify="flex-end" gap="xs" className={classes['ways'] ?? ''}>
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
            Send {kind}
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
