import type { LabelsBody } from '@backstock/contract/label.ts'
import {
  DPIS,
  type LabelCode,
  labelsOn,
  OWN_PAPER,
  OWN_SIZE,
  PAPERS,
  type PaperName,
  paperOf,
} from '@backstock/contract/label-paper.ts'
import { LABEL_FIELDS, type LabelField, type LabelHolds, type LabelItem } from '@backstock/contract/label-text.ts'
import type { StockRow } from '@backstock/contract/stock.ts'
import { Alert, Button, Checkbox, Group, Modal, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core'
import IconPrinter from '@tabler/icons-react/dist/esm/icons/IconPrinter.mjs'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { api } from '../../api/client.ts'
import { errorMessage } from '../../api/error.ts'
import { find } from '../../api/reads.ts'
import { saveFile } from '../../api/save-file.ts'
import { useMe } from '../../api/session.ts'
import { showToast } from '../../api/toast.ts'
import { Select } from '../../ui/fields/select.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { type Choices, keepChoices, readChoices, settled } from './choices.ts'
import classes from './label.module.css'
import { LabelPicture } from './label-picture.tsx'
import type { Labelled } from './labelled.ts'
import { SheetPicture } from './sheet-picture.tsx'

const PAPER_CHOICES = PAPERS.map((value) => ({ value, label: paperOf(value).name }))
const CODE_NAMES: Record<LabelCode, string> = { code128: 'Code 128', qr: 'QR code', datamatrix: 'DataMatrix' }
const HOLDS: { value: LabelHolds; label: string }[] = [
  { value: 'identifier', label: 'IMEI or serial' },
  { value: 'backstock_id', label: 'Backstock ID' },
]
const FIELD_NAMES: Record<LabelField, string> = {
  shop: 'Name of the shop',
  product: 'Product',
  identifier: 'IMEI or serial number',
  grade: 'Grade',
  location: 'Location',
  backstock_id: 'Backstock ID',
  price: 'Sales price',
}
const PRINTERS = DPIS.map((dpi) => ({
  value: String(dpi),
  label: dpi === 600 ? '600 dpi, office printers' : `${dpi} dpi, label printers`,
}))

const labels = (n: number) => `${n.toLocaleString('en')} ${n === 1 ? 'label' : 'labels'}`
const outOf = ({ min, max }: { min: number; max: number }) => `${min} to ${max} mm.`

/** The items to label: their number, and the first of them for the picture. Undefined until they are read. */
function useItems(of: Labelled) {
  const ofImport = 'importId' in of
  const query = { import: ofImport ? of.importId : undefined, order_by: 'id_asc', per_page: 1 }
  const found = useQuery({ ...find<StockRow>('stock', query), enabled: ofImport })
  return {
    count: ofImport ? found.data?.total : of.items.length,
    sample: ofImport ? found.data?.data[0] : of.items[0],
    isReading: ofImport && found.isPending,
    error: found.error,
  }
}

/** The request for the labels, as chosen. */
function labelsBody(of: Labelled, choices: Choices): LabelsBody {
  const { width, height, code, first, dpi } = settled(choices)
  const own = choices.paper === OWN_PAPER && { width, height }
  const which = 'importId' in of ? { import_id: of.importId } : { items: of.items.map(({ id }) => id) }
  const { paper, holds, fields } = choices
  return { ...which, ...own, paper, code, holds, fields: [...fields], first, dpi } as LabelsBody
}

/** The dialog for labels: it asks for paper, code and text, shows the first label, and downloads all of them as PDF. */
export default function PrintDialog({ of, onClose }: { of: Labelled; onClose: () => void }) {
  const me = useMe()
  const { count, sample, isReading, error } = useItems(of)
  const [choices, setChoices] = useState(() => readChoices(me.id))
  const [sending, setSending] = useState(false)
  const [trouble, setTrouble] = useState<string | null>(null)
  const { paper, first } = settled(choices)

  const change = (patch: Partial<Choices>) => {
    const next = { ...choices, ...patch }
    setChoices(next)
    keepChoices(me.id, next)
  }
  const print = async (event: FormEvent) => {
    event.preventDefault()
    if (sending || !paper || !count) return
    setSending(true)
    setTrouble(null)
    try {
      const file = `labels-${count}.pdf`
      const body = labelsBody(of, choices)
      saveFile(await api.post<Blob>('stock/labels', { body, isFile: true, silent: true }), file)
      change({ first: ((first - 1 + count) % labelsOn(paper)) + 1 })
      showToast({ type: 'success', message: `${file} is ready. Print it at 100%.`, about: 'stock/labels' })
      onClose()
    } catch (error) {
      setTrouble(errorMessage(error))
    } finally {
      setSending(false)
    }
  }
  const problem = trouble ?? (error && errorMessage(error))
  return (
    <Modal opened onClose={onClose} size={760} title="Print labels" closeButtonProps={{ 'aria-label': 'Close' }}>
      <form onSubmit={(event) => void print(event)} noValidate>
        <div className={classes['parts']}>
          <Stack gap="md">
            <PaperFields choices={choices} onChange={change} />
            <CodeFields choices={choices} onChange={change} />
            <PrinterField choices={choices} onChange={change} />
          </Stack>
          <Pictures choices={choices} onChange={change} sample={sample} count={count ?? 0} isReading={isReading} />
        </div>
        {problem && (
          <Alert color="red" role="alert" mt="md">
            {problem}
          </Alert>
        )}
        <div className={classes['end']}>
          <Text size="sm" c="dimmed">
            Print the PDF at 100%, not ‘fit to page’.
          </Text>
          <Group gap="xs" justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              data-autofocus
              leftSection={<IconPrinter size={16} stroke={1.6} />}
              loading={sending}
              disabled={!paper || !count}
            >
              {count === undefined ? 'Print labels' : `Print ${labels(count)}`}
            </Button>
          </Group>
        </div>
      </form>
    </Modal>
  )
}

type PartProps = { choices: Choices; onChange: (patch: Partial<Choices>) => void }

/** The paper, and its size if it is the shop's own. */
function PaperFields({ choices, onChange }: PartProps) {
  const { width, height } = settled(choices)
  return (
    <>
      <Select
        label="Paper"
        data={PAPER_CHOICES}
        value={choices.paper}
        onChange={(name) => name && onChange({ paper: name as PaperName, first: 1, dpi: null })}
      />
      {choices.paper === OWN_PAPER && (
        <Group grow gap="sm" align="start">
          <TextField
            label="Width in mm"
            inputMode="decimal"
            autoComplete="off"
            value={choices.width}
            error={width === null && outOf(OWN_SIZE.width)}
            onChange={(event) => onChange({ width: event.currentTarget.value })}
          />
          <TextField
            label="Height in mm"
            inputMode="decimal"
            autoComplete="off"
            value={choices.height}
            error={height === null && outOf(OWN_SIZE.height)}
            onChange={(event) => onChange({ height: event.currentTarget.value })}
          />
        </Group>
      )}
    </>
  )
}

/** The code, and the text beside it. */
function CodeFields({ choices, onChange }: PartProps) {
  const { code, codes } = settled(choices)
  return (
    <>
      <Choice
        label="Code"
        value={code}
        onChange={(chosen) => onChange({ code: chosen as LabelCode })}
        data={(Object.keys(CODE_NAMES) as LabelCode[]).map((value) => ({
          value,
          label: CODE_NAMES[value],
          disabled: !codes.includes(value),
        }))}
        hint={codes.length === 1 && 'Labels narrower than 45 mm have room only for a DataMatrix.'}
      />
      <Choice
        label="The code holds"
        value={choices.holds}
        onChange={(holds) => onChange({ holds: holds as LabelHolds })}
        data={HOLDS}
      />
      <Checkbox.Group
        label="Beside the code"
        value={[...choices.fields]}
        onChange={(fields) => onChange({ fields: LABEL_FIELDS.filter((field) => fields.includes(field)) })}
      >
        <div className={classes['fields']}>
          {LABEL_FIELDS.map((field) => (
            <Checkbox key={field} value={field} label={FIELD_NAMES[field]} size="sm" />
          ))}
        </div>
      </Checkbox.Group>
    </>
  )
}

function PrinterField({ choices, onChange }: PartProps) {
  return (
    <Select
      label="Printer"
      data={PRINTERS}
      value={String(settled(choices).dpi)}
      onChange={(dots) => onChange({ dpi: DPIS.find((one) => String(one) === dots) ?? null })}
    />
  )
}

type PicturesProps = PartProps & { sample: LabelItem | undefined; count: number; isReading: boolean }

/** The first label, and its place on the sheet. */
function Pictures({ choices, onChange, sample, count, isReading }: PicturesProps) {
  const { paper, dpi, code, first } = settled(choices)
  const { holds, fields } = choices
  return (
    <div className={classes['pictures']}>
      <div className={classes['preview']}>
        {paper && sample ? (
          <LabelPicture {...{ item: sample, paper, dpi, code, holds, fields }} />
        ) : (
          <Skeleton height={120} animate={isReading} />
        )}
      </div>
      {paper && labelsOn(paper) > 1 && (
        <SheetPicture paper={paper} first={first} count={count} onFirst={(label) => onChange({ first: label })} />
      )}
    </div>
  )
}

type ChoiceProps = {
  label: string
  value: string
  onChange: (value: string) => void
  data: { value: string; label: string; disabled?: boolean }[]
  hint?: string | false
}

function Choice({ label, hint, ...control }: ChoiceProps) {
  const id = useId()
  return (
    <div>
      <Text size="sm" fw={500} mb={4} id={id}>
        {label}
      </Text>
      <SegmentedControl fullWidth aria-labelledby={id} {...control} />
      {hint && (
        <Text size="xs" c="dimmed" mt={4}>
          {hint}
        </Text>
      )}
    </div>
  )
}
