import type { Document } from '@backstock/contract/document.ts'
import { PROFILE_FILES, PROFILE_NAMES } from '@backstock/contract/e-invoice-profile.ts'
import { ActionIcon } from '@mantine/core'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import IconFileCode from '@tabler/icons-react/dist/esm/icons/IconFileCode.mjs'
import IconSend from '@tabler/icons-react/dist/esm/icons/IconSend.mjs'
import { apiUrl } from '../../api/client.ts'
import { invalidate } from '../../api/reads.ts'
import { useAuth } from '../../api/session.ts'
import { useAct } from '../../ui/feedback/use-act.ts'
import columnClasses from '../../ui/table/columns.module.css'
import { handOver, handoverWords, mayHandOver } from './handover.ts'
import classes from './list-page.module.css'
import { rereadSoon } from './reread-soon.ts'

const STATE_ICONS = { waiting: IconClock, done: IconCheck, failed: IconAlertTriangle } as const

/** The e-invoice of a document with a profile: whether it was handed over, the button that does that, and the file. */
export function EInvoiceFile({ document }: { document: Document }) {
  const { id, number, profile, status, handover } = document
  const { hasConnector } = useAuth()
  const [running, run] = useAct()
  if (profile === null || status === 'none') return null
  const State = handover && STATE_ICONS[handover.state]
  const words = handoverWords(document)
  const order = async () => {
    await run(() => handOver(document))
    void invalidate('document', 'sale')
  }
  return (
    <>
      {State && (
        <span className={classes['handover']} data-state={handover?.state} role="img" aria-label={words} title={words}>
          <State size={16} />
        </span>
      )}
      {mayHandOver(document, hasConnector) && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size={30}
          loading={running}
          aria-label={`Hand over ${number}`}
          title="Hand over to the connector"
          onClick={() => void order()}
        >
          <IconSend size={16} />
        </ActionIcon>
      )}
      <a
        className={columnClasses['file']}
        href={apiUrl(`document/${id}/${PROFILE_FILES[profile][0]}`)}
        target="_blank"
        rel="noreferrer"
        aria-label={`E-invoice of ${number}`}
        title={`Download the e-invoice (${PROFILE_NAMES[profile]})`}
        onClick={rereadSoon}
      >
        <IconFileCode size={16} />
      </a>
    </>
  )
}
