import { sheetXml, stringsXml, workbookParts, workbookXml, zipOf } from '../../packages/server/src/testing/xlsx.ts'

// Makes a workbook of a supplier's file: typed cells, hidden rows, merged cells.

/** The name of the sheet with the phones. */
export const SHEET = 'Stock'

/** How the maker of a workbook writes it. */
export type Book = {
  /** Whether amounts, dates, IMEIs and answers are typed values and not texts. */
  amounts: boolean
  dates: boolean
  numbers: boolean
  booleans: boolean
  /** Whether texts are in the shared strings, and whether rows and cells have references. */
  isShared: boolean
  saysWhere: boolean
  is1904: boolean
  hidesRows: boolean
  hidesColumn: boolean
  merges: boolean
  /** Another sheet beside the one with the phones. */
  beside: 'nothing' | 'an empty sheet before' | 'a sheet of words before' | 'a table after'
  leavesOutHidden: boolean
}

/**
 * A typed value: an amount, a date in days since 1970, the digits of a number such as an IMEI, yes or no, an error such
 * as `#N/A`, or a formula without a stored result.
 */
export type Typed =
  | { amount: number }
  | { day: number }
  | { digits: string }
  | { is: boolean }
  | { error: string }
  | { formula: string }
export type BookCell = { text: string; typed?: Typed | undefined }
export type BookRow = { cells: readonly BookCell[]; isHidden: boolean }

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const letterOf = (column: number) => String.fromCharCode(65 + column)
/** The styles of cells: the second is that of a date, the third that of an amount. */
const STYLES = '<xf/><xf numFmtId="14"/><xf numFmtId="4"/>'
const TO_1970 = 25_569
const TO_1904 = 1_462

/** Makes the workbook. `merged` names a column and the first and last row of cells that are merged. */
export function bookOf(
  rows: readonly BookRow[],
  book: Book,
  merged: readonly [column: number, first: number, last: number][],
  hiddenColumn: number | null,
): Buffer {
  const pool: string[] = []
  const inner = (text: string): [attributes: string, content: string] => {
    if (!book.isShared) return [' t="inlineStr"', `<is><t xml:space="preserve">${escaped(text)}</t></is>`]
    pool.push(text)
    return [' t="s"', `<v>${pool.length - 1}</v>`]
  }
  const content = ({ text, typed }: BookCell): [attributes: string, content: string] => {
    if (typed && 'error' in typed) return [' t="e"', `<v>${typed.error}</v>`]
    if (typed && 'formula' in typed) return ['', `<f>${typed.formula}</f>`]
    if (typed && 'amount' in typed && book.amounts) return [' s="2"', `<v>${typed.amount / 100}</v>`]
    if (typed && 'day' in typed && book.dates)
      return [' s="1"', `<v>${typed.day + TO_1970 - (book.is1904 ? TO_1904 : 0)}</v>`]
    if (typed && 'digits' in typed && book.numbers) return ['', `<v>${Number(typed.digits)}</v>`]
    if (typed && 'is' in typed && book.booleans) return [' t="b"', `<v>${typed.is ? 1 : 0}</v>`]
    return text === '' ? ['', ''] : inner(text)
  }
  const lines = rows.map(({ cells, isHidden }, n) => {
    const written = cells.map((cell, column) => {
      const [attributes, inside] = content(cell)
      if (inside === '' && book.saysWhere) return ''
      return `<c${book.saysWhere ? ` r="${letterOf(column)}${n + 1}"` : ''}${attributes}>${inside}</c>`
    })
    return `<row${book.saysWhere ? ` r="${n + 1}"` : ''}${isHidden ? ' hidden="1"' : ''}>${written.join('')}</row>`
  })
  const ranges = merged.map(
    ([column, first, last]) => `<mergeCell ref="${letterOf(column)}${first}:${letterOf(column)}${last}"/>`,
  )
  const hidden = hiddenColumn === null ? '' : `<col min="${hiddenColumn + 1}" max="${hiddenColumn + 1}" hidden="1"/>`
  const sheet = sheetXml(lines.join(''))
    .replace('<sheetData>', `${hidden && `<cols>${hidden}</cols>`}<sheetData>`)
    .replace('</sheetData>', `</sheetData>${ranges.length ? `<mergeCells>${ranges.join('')}</mergeCells>` : ''}`)
  const others: Record<Book['beside'], string | null> = {
    nothing: null,
    'an empty sheet before': '',
    'a sheet of words before': `<row>${inlineCell('Dear customer')}</row><row>${inlineCell('our offer is on the next sheet')}</row>`,
    'a table after': ['IMEI', 'Brand', 'Model', 'Cost']
      .map(inlineCell)
      .join('')
      .replace(/^(.*)$/, '<row>$1</row>')
      .concat(`<row>${['350000099999995', 'Other', 'Phone', '1'].map(inlineCell).join('')}</row>`),
  }
  const other = others[book.beside]
  const ours = `<sheet name="${SHEET}" sheetId="1" r:id="rId1"/>`
  const second = '<sheet name="Other" sheetId="2" r:id="rId2"/>'
  const sheets = other === null ? ours : book.beside === 'a table after' ? ours + second : second + ours
  const properties = `<workbookPr${book.is1904 ? ' date1904="1"' : ''}/>`
  const styles = sheetXml('').replace(
    /^<worksheet(.*)><sheetData><\/sheetData><\/worksheet>$/,
    (_, named: string) => `<styleSheet${named}><cellXfs>${STYLES}</cellXfs></styleSheet>`,
  )
  const parts = workbookParts('', {
    'xl/workbook.xml': workbookXml(sheets, properties),
    'xl/worksheets/sheet1.xml': sheet,
    'xl/styles.xml': styles,
    'xl/sharedStrings.xml': stringsXml(
      pool.map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`).join(''),
    ),
    ...(other !== null && { 'xl/worksheets/sheet2.xml': sheetXml(other) }),
  })
  const relations = 'xl/_rels/workbook.xml.rels'
  const rId1 = String(parts[relations])
  if (other !== null)
    parts[relations] = rId1.replace(
      /<Relationship (.*?)\/>/,
      (one) => one + one.replace('rId1', 'rId2').replace('sheet1.xml', 'sheet2.xml'),
    )
  return zipOf(parts)
}

const inlineCell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
