import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readManualPage } from '../packages/web/manual.ts'
import { JOBS } from '../packages/web/src/areas/help/jobs.ts'

const house = path.resolve(import.meta.dirname, '..')
const folder = path.join(house, 'docs/manual')
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.md'))
  .map((file) => path.basename(file, '.md'))
const pages = new Map(
  names.map((name) => [name, readManualPage(readFileSync(path.join(folder, `${name}.md`), 'utf8'))]),
)

/** Whether a link of a page is broken: it names no page and no heading, or leads out of the manual but not to https. */
function broken(from: string, link: string): boolean {
  if (link.startsWith('https://')) return false
  const [, name = from, anchor] = /^(?:([a-z-]+)\.md)?(?:#([a-z0-9-]+))?$/.exec(link) ?? [link, '']
  const page = pages.get(name)
  return !page || (anchor !== undefined && !page.html.includes(` id="${anchor}"`))
}

test('every link of the manual leads to a page and a heading that are there', () => {
  expect(pages.size).toBeGreaterThan(20)
  const wrong = [...pages].flatMap(([name, { links }]) =>
    links.filter((link) => broken(name, link)).map((link) => `${name}.md links to ${link}`),
  )
  expect(wrong).toEqual([])
})

test('a broken link is found', () => {
  expect(broken('goods-in', 'goods-in.md#receive')).toBe(false)
  expect(broken('goods-in', '#receive')).toBe(false)
  for (const link of ['nothing.md', 'goods-in.md#nothing', '#nothing', '../operations.md', 'http://backstock.test'])
    expect(broken('goods-in', link), link).toBe(true)
})

test('every picture is there and on a page, has words for those who do not see it, and is small', () => {
  const shown = [...pages].flatMap(([name, { pictures }]) => pictures.map((picture) => ({ name, picture })))
  expect(shown.filter(({ picture }) => !existsSync(path.join(folder, picture)))).toEqual([])
  const kept = readdirSync(path.join(folder, 'pictures')).map((file) => `pictures/${file}`)
  expect(kept.filter((file) => !shown.some(({ picture }) => picture === file))).toEqual([])
  expect(kept.filter((file) => readFileSync(path.join(folder, file)).length > 60 * 1024)).toEqual([])
  const mute = [...pages].filter(([, { html }]) => html.includes('alt=""')).map(([name]) => name)
  expect(mute).toEqual([])
})

test('every page has a title and a sentence that says what it is about, and headings of its own', () => {
  const poor = [...pages].filter(([, { title, lead }]) => !title || lead.length < 20).map(([name]) => name)
  expect(poor).toEqual([])
  const twice = [...pages].flatMap(([name, { html }]) => {
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    return ids.filter((id, at) => ids.indexOf(id) < at).map((id) => `${name}.md#${id}`)
  })
  expect(twice).toEqual([])
})

test('every page has its job in the list of all and stands there once, and no page of the list is missing', () => {
  const listed: string[] = JOBS.flatMap((job) => job.pages)
  expect(listed.filter((name) => !pages.has(name))).toEqual([])
  expect(names.filter((name) => !listed.includes(name))).toEqual([])
  expect(listed.filter((name, at) => listed.indexOf(name) < at)).toEqual([])
})

test('every link and picture of the README and the other docs is there', () => {
  const docs = ['README.md', 'CONTRIBUTING.md', ...readdirSync(path.join(house, 'docs')).map((file) => `docs/${file}`)]
  const gone = docs
    .filter((doc) => doc.endsWith('.md'))
    .flatMap((doc) => {
      const { links, pictures } = readManualPage(readFileSync(path.join(house, doc), 'utf8'))
      return [...links, ...pictures]
        .filter((target) => !/^(https?:|#)/.test(target))
        .filter((target) => !existsSync(path.join(house, path.dirname(doc), target.split('#')[0]!)))
        .map((target) => `${doc}: ${target}`)
    })
  expect(gone).toEqual([])
})

test('HTML and scripts in a page are words', () => {
  const { html, text } = readManualPage(
    [
      '# A <b>page</b>',
      '<script>alert(1)</script>',
      'Some <img src=x onerror=alert(1)> and `<i>` and [a link](javascript:alert(1)) and [data](data:text/html,x).',
      '[quoted](https://shop.test/"onclick="alert(1)) ![a "picture"](x.png)',
    ].join('\n\n'),
  )
  expect(html).not.toMatch(/<(script|b|i)\b|<img src=x|javascript:|data:text|"onclick/)
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(html).toContain('a link and data')
  expect(html).toContain('alt="a &quot;picture&quot;"')
  expect(text).toContain('Some <img src=x onerror=alert(1)> and <i> and a link')
})

test('a page becomes what the screen shows: title, anchors, links to pages, pictures with their size', () => {
  const page = readManualPage(
    '# Goods in\n\nFrom a **file**, as it is.\n\n## Undo an import\n\n[Devices](devices.md), [there](vat.md#rates), [here](#undo-an-import), [VIES](https://vies.test).\n\n![The list](pictures/a.png)\n',
    (picture) => ` data-of="${picture}"`,
  )
  expect(page).toMatchObject({
    title: 'Goods in',
    lead: 'From a file, as it is.',
    sections: [{ id: 'undo-an-import', title: 'Undo an import' }],
    pictures: ['pictures/a.png'],
  })
  expect(page.html).not.toContain('<h1')
  for (const part of [
    '<h2 id="undo-an-import">Undo an import</h2>',
    '<a href="/admin/help/devices">Devices</a>',
    '<a href="/admin/help/vat#rates">there</a>',
    '<a href="#undo-an-import">here</a>',
    '<a href="https://vies.test" rel="noreferrer">VIES</a>',
    'alt="The list" loading="lazy" data-of="pictures/a.png">',
  ])
    expect(page.html).toContain(part)
})
