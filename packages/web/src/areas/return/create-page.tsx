import { Alert, Button, Checkbox, Kbd, Stack, Text, Textarea } from '@mantine/core'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import { useMemo, useState } from 'react'
import { ApiError, errorMessage } from '../../api/error.ts'
import { type Begin, useKeepDraft } from '../../ui/feedback/kept-draft.ts'
import { KeptNote } from '../../ui/feedback/kept-note.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { useCtrlEnter } from '../../ui/layout/use-ctrl-enter.ts'
import { mustMendPrice, useWrongPrices, type WrongPriceKeeper } from '../../ui/table/wrong-prices.ts'
import { LineList } from '../quick-order/line-list.tsx'
import { missedLines } from '../quick-order/look-up.ts'
import { type Choice, type Choices, CREDIT, ForAll, withChoice } from './choices.tsx'
import { type FoundLines, foundText, useFoundLines } from './found-lines.ts'
import { type FoundLine, FoundTable } from './found-table.tsx'
import { useGivenLines } from './given-lines.ts'
import { type KeptReturn, useFoundReturn } from './kept-return.ts'
import classes from './return.module.css'
import { type How, useStoreReturn } from './store-return.ts'
import { creditText, itemsText } from './sums.ts'

const NO_LINES: readonly string[] = []
const NO_CHOICES: Choices = new Map()
const NONE: ReadonlySet<number> = new Set()

/** The form for a customer's return. It takes pasted or scanned lines. The return is received at once, or announced. */
export default function ReturnCreatePage() {
  const [{ begins, isAfresh }, setBegun] = useState({ begins: 0, isAfresh: false })
  const begin: Begin = (isAfresh) => setBegun(({ begins }) => ({ begins: begins + 1, isAfresh }))
  return <NewReturn key={begins} isAfresh={isAfresh} onDiscard={begin} />
}

function NewReturn({ isAfresh, onDiscard }: { isAfresh: boolean; onDiscard: Begin }) {
  const fromScreen = useGivenLines()
  const given = isAfresh ? NO_LINES : fromScreen
  const { name, found: begun } = useFoundReturn(given, isAfresh)
  const [text, setText] = useState(begun?.text ?? given.join('\n'))
  const [note, setNote] = useState(begun?.note ?? '')
  const [email, setEmail] = useState(begun?.email ?? true)
  const [wantedBuyer, setBuyer] = useState<number | null>(begun?.buyer ?? null)
  const [choices, setChoices] = useState<Choices>(begun ? new Map(begun.choices) : NO_CHOICES)
  const [left, setLeft] = useState<ReadonlySet<number>>(begun ? new Set(begun.left) : NONE)
  const { wrong, keeper } = useWrongPrices(begun?.wrong)
  const isBegun = text !== '' || note !== ''
  const draft = useMemo<KeptReturn | null>(
    () =>
      isBegun
        ? { text, note, email, buyer: wantedBuyer, choices: [...choices], wrong: [...wrong], left: [...left] }
        : null,
    [isBegun, text, note, email, wantedBuyer, choices, wrong, left],
  )
  const { isLost, drop, discard } = useKeepDraft(name, draft)
  const found = useFoundLines(text, wantedBuyer, choices)
  const { answer, error, waiting, buyer, others } = found
  const coming = found.rows.filter((row) => row.editable && !left.has(row.id))
  const mustMend = () => mustMendPrice(found.rows, wrong, CREDIT)
  const { saving, trouble, save } = useStoreReturn({
    unsaved: isBegun && isLost,
    onDone: drop,
    mustMend,
    draft: { coming, buyer, note, email, others },
  })
  useCtrlEnter(() => {
    if (!waiting && coming.length > 0) void save('receive')
  })

  return (
    <>
      <PageHeader
        title="New return"
        note={isBegun && !isLost && <KeptNote isFound={begun !== null} onDiscard={() => discard(onDiscard)} />}
      />
      <Stack gap="md">
        <PasteFields text={text} onText={setText} note={note} onNote={setNote} />
        {error && <Trouble message={lookUpTrouble(error)} />}
        <LineList title="Not sold by you" lines={missedLines(answer?.not_found ?? [])} />
        <LineList
          title="May be several phones: paste the IMEI"
          lines={(answer?.ambiguous ?? []).map(
            ({ line, items }) => `${line}: ${items.map((id) => `#${id}`).join(', ')}`,
          )}
        />
        {!found.isEmpty && !error && (
          <FoundPanel
            found={found}
            coming={coming}
            dimmed={waiting || saving !== null}
            left={left}
            onLeave={setLeft}
            onBuyer={setBuyer}
            onChoose={(ids, choice) => setChoices((now) => withChoice(now, ids, choice))}
            prices={keeper}
          />
        )}
        {trouble && <Trouble message={trouble} />}
      </Stack>
      {!found.isEmpty && (
        <ReturnBar
          coming={coming}
          disabled={waiting || coming.length === 0 || saving !== null}
          saving={saving}
          onSave={(how) => void save(how)}
          email={email}
          onEmail={setEmail}
        />
      )}
    </>
  )
}

function Trouble({ message }: { message: string }) {
  return (
    <Alert color="red" role="alert" icon={<IconAlertTriangle size={18} />}>
      {message}
    </Alert>
  )
}

/** The message if the lines could not be looked up: that of a line, if the server refuses one. */
function lookUpTrouble(error: Error): string {
  const isRefusal = error instanceof ApiError && error.status === 422
  return isRefusal ? (Object.values(error.errors)[0] ?? error.message) : errorMessage(error)
}

type PasteProps = { text: string; onText: (text: string) => void; note: string; onNote: (note: string) => void }

function PasteFields({ text, onText, note, onNote }: PasteProps) {
  return (
    <Panel>
      <div className={classes['paste']}>
        <Textarea
          label="IMEIs or serial numbers"
          description="One on each line: IMEI, serial number, Backstock ID or #number. Paste a list, or scan."
          rows={6}
          autoFocus
          spellCheck={false}
          autoComplete="off"
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          value={text}
          onChange={(event) => onText(event.currentTarget.value)}
        />
        <Textarea
          label="Note"
          description="For example the customer's reason, or a tracking number."
          rows={6}
          maxLength={10_000}
          value={note}
          onChange={(event) => onNote(event.currentTarget.value)}
        />
      </div>
    </Panel>
  )
}

type FoundProps = {
  found: FoundLines
  /** The lines that come back: those that may, and are ticked. */
  coming: readonly FoundLine[]
  dimmed: boolean
  /** The ids of items that may come back but are not ticked. */
  left: ReadonlySet<number>
  onLeave: (left: ReadonlySet<number>) => void
  onBuyer: (id: number) => void
  onChoose: (ids: readonly number[], choice: Partial<Choice>) => void
  prices: WrongPriceKeeper
}

/** The found items, with a choice of the customer if several bought them. */
function FoundPanel({ found, coming, dimmed, left, onLeave, onBuyer, onChoose, prices }: FoundProps) {
  const { answer, buyers, buyer, rows } = found
  return (
    <Panel p={0} className={classes['items'] ?? ''}>
      <div className={classes['head']}>
        <Text size="sm" role="status" className={classes['said'] ?? ''}>
          {answer ? foundText(answer, coming.length, found) : 'Looking…'}
        </Text>
        {buyers.length > 1 && buyer && (
          <Select
            size="xs"
            label="Customer of this return"
            data={buyers.map(({ id, name, items }) => ({ value: String(id), label: `${name} (${items})` }))}
            value={String(buyer.id)}
            onChange={(value) => value && onBuyer(Number(value))}
          />
        )}
        {coming.length > 0 && (
          <ForAll
            onChoose={(choice) =>
              onChoose(
                coming.map(({ id }) => id),
                choice,
              )
            }
          />
        )}
      </div>
      <FoundTable
        rows={answer && rows}
        dimmed={dimmed}
        left={left}
        onLeave={onLeave}
        onChoose={(id, choice) => onChoose([id], choice)}
        prices={prices}
      />
    </Panel>
  )
}

type BarProps = {
  coming: readonly FoundLine[]
  disabled: boolean
  /** The attempt that is under way; null if none is. */
  saving: How | null
  onSave: (how: How) => void
  email: boolean
  onEmail: (email: boolean) => void
}

function ReturnBar({ coming, disabled, saving, onSave, email, onEmail }: BarProps) {
  return (
    <div className={classes['bar']}>
      <Button loading={saving === 'receive'} disabled={disabled} onClick={() => onSave('receive')}>
        Receive ({coming.length.toLocaleString('en')})
      </Button>
      <Button variant="default" loading={saving === 'announce'} disabled={disabled} onClick={() => onSave('announce')}>
        Announce
      </Button>
      <Text size="xs" c="dimmed" visibleFrom="md">
        <Kbd size="xs">Ctrl</Kbd> <Kbd size="xs">Enter</Kbd>
      </Text>
      <Checkbox
        label="Send the credit notes by email"
        checked={email}
        onChange={(event) => onEmail(event.currentTarget.checked)}
      />
      <Text size="sm" className={classes['sum'] ?? ''}>
        {itemsText(coming.length)}, credited: <b>{creditText(coming)}</b>
      </Text>
    </div>
  )
}
