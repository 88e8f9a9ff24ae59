type Node = Record<string, unknown>
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)
const PARTS = ['text', 'stack', 'columns', 'table', 'layout']

/** The settings of a node that are no content, such as its margin; and its layout's lines and gaps in some places. */
function lookOf(node: Node): string {
  const { layout, table } = node as { layout?: Node; table?: { body: unknown[]; widths?: unknown } }
  const own = Object.entries(node).filter(([name, value]) => !PARTS.includes(name) && value !== undefined)
  const rows = table ? [0, 1, 2, table.body.length - 1, table.body.length] : []
  const lines = Object.entries(layout ?? {}).map(([name, at]) => [
    name,
    typeof at === 'function' ? rows.map((row) => at(row, table, 0)) : at,
  ])
  const { body: _, ...settings } = table ?? {}
  return JSON.stringify(Object.fromEntries([...own, ...Object.entries(settings), ...lines]), (_name, value) =>
    typeof value === 'number' ? Number(value.toFixed(2)) : value,
  )
}

/**
 * A document of pdfmake as lines of text in the order of reading: the cells of a row and columns side by side are one
 * below the other, indented. With `look`, each line also has the sizes, colours, margins and lines.
 */
export function textLines(content: unknown, look: boolean, depth = 0): string[] {
  const indent = '  '.repeat(depth)
  if (content === '' || content === undefined) return []
  if (typeof content === 'string') return [indent + content]
  if (Array.isArray(content)) return content.flatMap((part) => textLines(part, look, depth))
  if (!isNode(content)) throw new Error(`No part of a document: ${content}`)
  const { text, stack, columns, table, image, qr } = content as {
    text?: unknown
    stack?: unknown[]
    columns?: unknown[]
    table?: { body: unknown[][] }
    image?: string
    qr?: string
  }
  const settings = look ? ` ${lookOf(content)}` : ''
  const inside = (name: string, parts: readonly unknown[]) => {
    const within = parts.flatMap((part) => textLines(part, look, depth + 1))
    return look || within.length > 1 ? [`${indent}${name}${settings}`, ...within] : textLines(parts, look, depth)
  }
  if (table) {
    const rows = table.body.flatMap((row) => ['row', ...row.flatMap((cell) => textLines(cell, look, 1))])
    return [`${indent}table${settings}`, ...rows.map((line) => `${indent}  ${line}`)]
  }
  if (columns) return inside('columns', columns)
  if (stack) return inside('stack', stack)
  if (Array.isArray(text)) return inside('text', text)
  if (typeof text === 'string') return [`${indent}${text.replaceAll('\n', `\n${indent}`)}${settings}`]
  if (image) return [`${indent}[image]${settings}`]
  if (qr) return [`${indent}[code ${qr.replaceAll('\n', ' ')}]${settings}`]
  return look ? [`${indent}[drawing]${settings}`] : []
}

type Document = {
  content: unknown
  info?: { title?: string | undefined } | undefined
  header?: unknown
  footer?: unknown
  watermark?: unknown
}

/** A whole document: its title, the head and the foot of its second page, its watermark and its content. */
export function documentLines(document: Document, look: boolean): string[] {
  const { content, header, footer, watermark, info, ...rest } = document
  const page = (part: unknown) => (typeof part === 'function' ? part(2, 3) : part)
  return [
    `title: ${info?.title}`,
    ...(look ? [JSON.stringify({ info, ...rest })] : []),
    ...(watermark ? [`watermark: ${JSON.stringify(watermark)}`] : []),
    ...['', 'head of page 2', ...textLines(page(header), look, 1)],
    ...['foot of page 2', ...textLines(page(footer), look, 1)],
    ...textLines(content, look),
  ]
}

/** The lines of XML, one for each element. */
export const xmlLines = (xml: string): string => xml.replaceAll(/></g, '>\n<')
