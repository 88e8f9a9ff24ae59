import type { LogContent, LogEntry } from '@backstock/contract/log.ts'
import { expect, test } from 'vitest'
import { mailNews } from './mail-news.ts'

const entry = (id: number, mail?: 'failed' | 'unclear') => {
  const content: LogContent = { type: 'message', data: { message: `Said ${id}`, ...(mail && { mail }) } }
  return { id, loggable_id: 100 + id, content } as LogEntry
}
const update = { id: 8, loggable_id: 1, content: { type: 'model_update', data: [] } } as unknown as LogEntry
const newestFirst = [update, entry(7, 'unclear'), entry(6), entry(5, 'failed'), entry(4, 'failed')]

test('an email that went wrong is told once, the oldest first', () => {
  expect(mailNews(newestFirst, 4)).toEqual([
    {
      type: 'error',
      event: true,
      title: 'Email failed',
      message: 'Said 5',
      link: { to: '/admin/sale/edit/105', text: 'Sale #105' },
    },
    {
      type: 'warning',
      event: true,
      title: 'Email unclear',
      message: 'Said 7',
      link: { to: '/admin/sale/edit/107', text: 'Sale #107' },
    },
  ])
  expect(mailNews(newestFirst, 7)).toEqual([])
})

test('a reminder that went wrong leads to the account of its customer', () => {
  const letter = { ...entry(9, 'failed'), loggable_type: 'Customer' as const }
  expect(mailNews([letter], 8)).toMatchObject([{ link: { to: '/admin/open-item/109', text: 'Customer #109' } }])
})
