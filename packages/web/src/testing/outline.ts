const SIGNS: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }
const plain = (text: string) => text.replaceAll(/&(#?\w+);/g, (all, name: string) => SIGNS[name] ?? all)

/** Elements that begin no line of their own. */
const INLINE = new Set(['b', 'i', 'small', 'mark', 'strong', 'kbd', 'code', 'br', 'time', 'span', 'em'])
const TOLD =
  /^(?:href|target|title|accept|placeholder|value|checked|disabled|readOnly|selected|required|max|maxLength|inputMode|role|aria-(?:label|busy|checked|current|expanded|invalid|live|pressed|selected|sort)|data-.*)$/
/** Attributes by which Mantine's stylesheets know its parts. */
const MANTINE =
  /^data-(?:mantine|portal|autofocus|with|position|orientation|size|inherit|underline|truncate|line-clamp|hidden|pointer|accordion|chevron|rotate|path|activate|idle|offset|floating|status|label-position|reduce|composed|autosize|scroll|state="hidden|multiline|combobox|visible|animate)/
/** Styles that are told. Mantine writes its own widths as variables with longer names, or on icons. */
const STYLES = /mantine-color-[a-z]+(?=-)|visibility:hidden|(?<=(?:^|;)(?:--)?)(?:max-|min-)?width:[\d.]+(?:px|rem)/g
/** The name that a stylesheet of ours gives a class, between its own marks. */
const OWN_CLASS = /(?<=^| )_(\w+)_[\da-f]{6}(?= |$)/g

function tag(name: string, rest: string): string {
  const told: string[] = []
  for (const [, key = '', value = ''] of rest.matchAll(/([\w-]+)(?:="([^"]*)")?/g)) {
    if (key === 'class') told.push(...[...value.matchAll(OWN_CLASS)].map(([, own]) => `.${own}`))
    else if (key === 'style') told.push(...new Set(value.replaceAll('calc(', '').match(STYLES)))
    else if (TOLD.test(key) && !MANTINE.test(key) && (key !== 'data-variant' || name === 'button'))
      told.push(value === '' || value === 'true' ? key : `${key}="${plain(value)}"`)
  }
  return told.length > 0 ? `<${[name, ...told].join(' ')}>` : ''
}

/**
 * A screen in lines: its words, and the attributes that people see or hear, such as addresses, states and colours. The
 * name of an icon is between braces.
 */
export function outline(html: string): string[] {
  const icons = html
    .replaceAll(/<svg([^>]*?tabler-icon-([\w-]+)[^>]*)>.*?<\/svg>/g, '<em$1>{$2}')
    .replaceAll(/<svg.*?<\/svg>/g, '')
  let text = ''
  for (const [part, name = '', rest = ''] of icons.matchAll(/<([a-z]\w*)([^>]*)>|<\/[^>]*>|[^<]+/g)) {
    if (!part.startsWith('<')) text += plain(part)
    else if (name) text += `${INLINE.has(name) ? '' : '\n'}${tag(name, rest)}`
    else text += INLINE.has(part.slice(2, -1)) ? ' ' : '\n'
  }
  const lines = text.split('\n').map((line) => line.replaceAll(/\s+/g, ' ').trim())
  return withoutLongLists(lines.filter(Boolean))
}

/** The outline has only this many options of a longer list, such as all countries. */
const MOST_OPTIONS = 8

function withoutLongLists(lines: readonly string[]): string[] {
  let options = 0
  return lines.filter((line) => {
    options = line.includes('role="option"') ? options + 1 : 0
    return options <= MOST_OPTIONS
  })
}

/** The lines that differ between two outlines, in their order: `-` before those that are gone, `+` before new ones. */
export function changes(before: readonly string[], after: readonly string[]): string[] {
  // The length of the longest common part of what follows each pair of lines.
  const same = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1))
  const at = (i: number, j: number) => same[i]?.[j] ?? 0
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      same[i]![j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const found: string[] = []
  for (let i = 0, j = 0; i < before.length || j < after.length; ) {
    if (i < before.length && j < after.length && before[i] === after[j]) [i, j] = [i + 1, j + 1]
    else if (j >= after.length || (i < before.length && at(i + 1, j) >= at(i, j + 1))) found.push(`- ${before[i++]}`)
    else found.push(`+ ${after[j++]}`)
  }
  return found
}
