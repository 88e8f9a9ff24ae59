import type { LogEntry } from '@backstock/contract/log.ts'
import type { NewToast } from '../../../api/toast.ts'
import { recordPath } from '../../../ui/values/link.tsx'

/**
 * Toasts about mails that failed or may not have arrived, oldest first. Only log entries with an id above `toldUpTo`
 * count.
 */
export const mailNews = (newestFirst: readonly LogEntry[], toldUpTo: number): NewToast[] =>
  newestFirst.toReversed().flatMap(({ id, content, loggable_id, loggable_type }) => {
    if (id <= toldUpTo || content.type !== 'message' || !content.data.mail) return []
    const failed = content.data.mail === 'failed'
    return {
      type: failed ? 'error' : 'warning',
      event: true,
      title: failed ? 'Email failed' : 'Email unclear',
      message: content.data.message,
      link:
        loggable_type === 'Customer'
          ? { to: `/admin/open-item/${loggable_id}`, text: `Customer #${loggable_id}` }
          : { to: recordPath('sale', loggable_id), text: `Sale #${loggable_id}` },
    }
  })
