import { Button } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { ApiError } from '../../../api/error.ts'
import { saveFile } from '../../../api/save-file.ts'
import { type DraftLine, sellable } from './lines.ts'

/** Downloads the pick list of a new sale. It is sorted by location. */
export function DraftPickList({ lines }: { lines: readonly DraftLine[] }) {
  const [making, setMaking] = useState(false)
  const items = sellable(lines).map(({ id }) => id)
  const print = async () => {
    setMaking(true)
    try {
      saveFile(await api.post<Blob>('stock/pick-list', { body: { items }, isFile: true }), 'pick-list.pdf')
    } catch (error) {
      // A toast has shown the reason.
      if (!(error instanceof ApiError)) throw error
    } finally {
      setMaking(false)
    }
  }
  return (
    <Button variant="default" disabled={items.length === 0} loading={making} onClick={() => void print()}>
      Pick list
    </Button>
  )
}
