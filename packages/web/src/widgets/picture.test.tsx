import { expect, test } from 'vitest'
import { drawn } from '../testing/drawn.tsx'
import { Picture } from './picture.tsx'

test('a person is shown by the picture that they chose, else by the one that they have elsewhere', async () => {
  const shown = async (avatar_url: string | null, gravatar_url: string | null) => {
    const html = await drawn(<Picture user={{ name: 'Bea Kern', avatar_url, gravatar_url }} />)
    return /src="([^"]*)"/.exec(html)?.[1] ?? />(\w*)<\/span>/.exec(html)?.[1]
  }
  expect(await shown('/own.png', '/elsewhere.png')).toBe('/own.png')
  expect(await shown(null, '/elsewhere.png')).toBe('/elsewhere.png')
  expect(await shown(null, null)).toBe('BK')
})
