import { useEffect } from 'react'
import { useMe } from '../../../api/session.ts'
import { showToast } from '../../../api/toast.ts'
import { mailNews } from './mail-news.ts'

/**
 * Shows a toast if a mail that this person has sent failed or may not have arrived. The toast comes on any screen at
 * the next check of the session, and only once in this browser. The component itself draws nothing.
 */
export function MailWatch() {
  const { id, recent_logs } = useMe()
  useEffect(() => {
    const key = `toldUpTo:${id}`
    const told = localStorage.getItem(key)
    const newest = recent_logs[0]?.id ?? 0
    if (told !== String(newest)) localStorage.setItem(key, String(newest))
    // On the first visit with this browser, older failures make no toasts: the notifications list them.
    if (told === null) return
    for (const toast of mailNews(recent_logs, Number(told))) showToast(toast)
  }, [id, recent_logs])
  return null
}
