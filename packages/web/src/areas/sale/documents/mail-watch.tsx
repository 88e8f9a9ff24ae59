import { useEffect } from 'react'
import { useMe } from '../../../api/session.ts'
import { showToast } from '../../../api/toast.ts'
import { mailNews } from './mail-news.ts'

/**
 * Tells the person who asked for an email that it failed or is unclear, once in this browser, on any screen, when
 * the session is next checked. Draws nothing.
 */
export function MailWatch() {
  const { id, recent_logs } = useMe()
  useEffect(() => {
    const key = `toldUpTo:${id}`
    const told = localStorage.getItem(key)
    const newest = recent_logs[0]?.id ?? 0
    if (told !== String(newest)) localStorage.setItem(key, String(newest))
    // On a first visit the notifications have the older entries.
    if (told === null) return
    for (const toast of mailNews(recent_logs, Number(told))) showToast(toast)
  }, [id, recent_logs])
  return null
}
