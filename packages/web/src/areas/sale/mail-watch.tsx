import { useEffect } from 'react'
import { useMe } from '../../api/session.ts'
import { showToast } from '../../api/toast.ts'
import { recordPath } from '../../ui/link.tsx'

/**
 * Tells the person who asked for an email that it failed or is unclear, once in this browser, on whatever screen they are
 * when the session is next checked. Draws nothing.
 */
export function MailWatch() {
  const { id, recent_logs } = useMe()
  useEffect(() => {
    const key = `toldUpTo:${id}`
    const told = localStorage.getItem(key)
    const newest = recent_logs[0]?.id ?? 0
    if (told !== String(newest)) localStorage.setItem(key, String(newest))
    // Whoever is here for the first time has the notifications for what was before.
    if (told === null) return
    for (const { id: entry, content, loggable_id } of recent_logs.toReversed()) {
      if (entry <= Number(told) || content.type !== 'message' || !content.data.mail) continue
      const failed = content.data.mail === 'failed'
      showToast({
        type: failed ? 'error' : 'warning',
        event: true,
        title: failed ? 'Email failed' : 'Email unclear',
        message: content.data.message,
        link: { to: recordPath('sale', loggable_id), text: `Sale #${loggable_id}` },
      })
    }
  }, [id, recent_logs])
  return null
}
