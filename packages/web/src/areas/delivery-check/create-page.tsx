import { Button, Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { createNamed } from '../../api/create-named.ts'
import { ApiError } from '../../api/error.ts'
import { sameKey } from '../../api/same-key.ts'
import { RemoteSelect } from '../../ui/fields/remote-select.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { beginCheck, checkPath } from './delivery-check.ts'

const CRUMBS = [
  { title: 'Stock', to: '/admin/stock' },
  { title: 'Deliveries', to: '/admin/stock/check' },
  { title: 'New' },
]

/**
 * Starts a check of the Inbound items of a supplier, or of all Inbound items. The check of an import starts from the
 * import's history.
 */
export default function NewDeliveryCheckPage() {
  const navigate = useNavigate()
  const [supplier, setSupplier] = useState<number | null>(null)
  const [search, setSearch] = useState('')
  const [name, setName] = useState('')
  const [trouble, setTrouble] = useState<string | null>(null)
  const [running, setRunning] = useState(false)
  const keyOf = useRef(sameKey())

  const begin = async () => {
    if (running) return
    setRunning(true)
    setTrouble(null)
    const filter = {
      ...(supplier !== null && { supplier_id: [supplier] }),
      ...(search.trim() && { search: search.trim() }),
    }
    const body = { filter, name: name.trim() || null }
    try {
      const id = await beginCheck(body, keyOf.current(JSON.stringify(body)))
      await navigate({ to: checkPath(id) })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setTrouble(Object.values(error.errors)[0] ?? error.message)
      setRunning(false)
    }
  }
  return (
    <>
      <PageHeader title="Check a delivery" crumbs={CRUMBS} />
      <Panel maw={620}>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void begin()
          }}
        >
          <Stack gap="md">
            <Text size="sm" c="dimmed">
              The check expects the Inbound items of one supplier, or all Inbound items, but none that a customer has
              sent back. To check the goods of an imported file, begin in the import history.
            </Text>
            <RemoteSelect
              area="supplier"
              label="Supplier"
              placeholder="All suppliers"
              create={createNamed('supplier')}
              value={supplier}
              onChange={(id) => setSupplier(id)}
            />
            <TextField
              label="Only items with"
              description="A product, or a part of an IMEI or serial number."
              autoComplete="off"
              maxLength={255}
              value={search}
              onChange={(event) => setSearch(event.currentTarget.value)}
            />
            <TextField
              label="Name"
              description="If empty, the supplier's name, or ‘Inbound items’ if there are several suppliers."
              autoComplete="off"
              maxLength={255}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            {trouble && (
              <Text size="sm" c="red" role="alert">
                {trouble}
              </Text>
            )}
            <div>
              <Button type="submit" loading={running}>
                Begin
              </Button>
            </div>
          </Stack>
        </form>
      </Panel>
    </>
  )
}
