import { attributeTitle } from '@backstock/contract/attribute-name.ts'
import { faultyField } from '@backstock/contract/failed-rows.ts'
import type { ImportDetail, ImportEntry } from '@backstock/contract/import.ts'
import type { Page } from '@backstock/contract/page.ts'
import { Alert, Button, Group, Text } from '@mantine/core'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconCircleX from '@tabler/icons-react/dist/esm/icons/IconCircleX.mjs'
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { errorMessage } from '../../../api/error.ts'
import { recordPath, TextLink } from '../../../ui/values/link.tsx'
import { ImportReceipt } from '../../delivery-check/import-receipt.tsx'
import { ImportLinks } from '../import-links.tsx'
import { importName } from '../import-status.ts'
import { undoButton } from '../undo/undo.ts'
import classes from './history.module.css'

/**
 * The number of rows that an entry of the history carries. They are the first page, in the same order as the further
 * ones.
 */
const PER_PAGE = 250

const furtherPages = (id: number) =>
  infiniteQueryOptions({
    queryKey: ['import', 'details', id],
    queryFn: ({ pageParam, signal }) =>
      api.get<Page<ImportDetail>>(`stock/import/history/${id}/details`, {
        query: { per_page: PER_PAGE, page: pageParam },
        signal,
      }),
    initialPageParam: 2,
    getNextPageParam: (last) => (last.current_page < last.last_page ? last.current_page + 1 : undefined),
  })

/** The results of an import's rows, failed ones first. */
export function ImportDetails({ entry }: { entry: ImportEntry }) {
  const { details, details_total, successed_rows, failed_rows } = entry.content.data
  const [more, setMore] = useState(false)
  const further = useInfiniteQuery({ ...furtherPages(entry.id), enabled: more })
  const rows = [...details, ...(further.data?.pages.flatMap((page) => page.data) ?? [])]
  return (
    <>
      {successed_rows > 0 && entry.undo !== 'undone' && <ImportReceipt importId={entry.id} />}
      {entry.error && (
        <Alert color="red" mb="sm" icon={<IconAlertTriangle size={18} />}>
          {entry.error}
        </Alert>
      )}
      {details_total > 0 && (
        <Group justify="space-between" mb="xs">
          <Text size="sm" c="dimmed">
            {rows.length.toLocaleString('en')} of {details_total.toLocaleString('en')} rows
          </Text>
          <ImportLinks
            id={entry.id}
            name={importName(entry.file_name, entry.id)}
            successed={successed_rows}
            failed={failed_rows}
            all
            undo={undoButton(entry.undo, entry.can_undo)}
          />
        </Group>
      )}
      <ul className={classes['details']}>
        {rows.map((detail) => (
          <Detail key={detail.row} detail={detail} />
        ))}
      </ul>
      {further.isError && (
        <Text c="red" size="sm" role="alert">
          {errorMessage(further.error)}
        </Text>
      )}
      {rows.length < details_total && (
        <Button
          mt="sm"
          size="xs"
          variant="default"
          loading={further.isFetching}
          onClick={() => (more ? void further.fetchNextPage() : setMore(true))}
        >
          Show more
        </Button>
      )}
    </>
  )
}

function Detail({ detail }: { detail: ImportDetail }) {
  const { success, type, id, backstock_id, row, of_row, message } = detail
  const name = `#${backstock_id ?? id ?? ''}`
  return (
    <li className={classes['detail']} data-failed={!success || undefined}>
      {success ? (
        <IconCircleCheck size={16} role="img" aria-label="Success" />
      ) : (
        <IconCircleX size={16} role="img" aria-label="Failed" />
      )}
      <Text span size="sm" c="dimmed" className={classes['line'] ?? ''}>
        {/* During an upgrade a server of the last release does not send `of_row`. */}
        Row {(of_row ?? row).toLocaleString('en')}
        {typeof of_row === 'number' && <span className={classes['ofRow']}>next IMEI</span>}
      </Text>
      {success && id !== null ? (
        <TextLink to={recordPath('stock', id)} size="sm">
          {name}
        </TextLink>
      ) : (
        (backstock_id ?? id) !== null && <span>{name}</span>
      )}
      <div className={classes['message']}>
        {typeof message === 'string' ? (
          message || attributeTitle(type)
        ) : (
          <>
            Errors occurred during import:
            <ul>
              {Object.entries(message).map(([field, problem]) => (
                <li key={field}>
                  {faultyField(field) !== null && (
                    <>
                      <b>{faultyField(field)}</b>:{' '}
                    </>
                  )}
                  {problem}
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </li>
  )
}
