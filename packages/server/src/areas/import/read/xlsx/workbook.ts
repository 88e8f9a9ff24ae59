import path from 'node:path'
import { type Entry, fromFdPromise, type ZipFile } from 'yauzl'
import { BadWorkbook, DAMAGED, TOO_MUCH } from './bad-workbook.ts'
import { type NumberFormat, numberFormat } from './number-text.ts'
import { readRows, unescaped } from './sheet-rows.ts'
import { textPool } from './text-pool.ts'
import { MAX_CELL, prefixed, readPart } from './xml-part.ts'

const MAX_ENTRIES = 1_000
const MAX_STRINGS_BYTES = 120_000_000
const MAX_STYLES_BYTES = 20_000_000
const MAX_SMALL_BYTES = 5_000_000
const WORKBOOK = 'xl/workbook.xml'

type Parts = ReadonlyMap<string, Entry>
export type SheetRead = { sheets: string[]; sheet: string }

/**
 * Reads the rows of an Excel workbook's sheet: the one of this name, or the first that can be seen. `fd` is a file.
 * Throws `BadWorkbook`, or any other error where the file is damaged.
 */
export async function readWorkbook(
  fd: number,
  wished: string | null,
  each: (row: number, cells: string[]) => void,
): Promise<SheetRead> {
  const zip = await fromFdPromise(fd, { lazyEntries: true, autoClose: false })
  const parts = await partsOf(zip)
  const workbook = parts.get(WORKBOOK)
  if (!workbook) throw new BadWorkbook(whatElse(parts))
  const { sheets, is1904 } = await sheetsOf(zip, workbook, parts)
  const sheet = wished === null ? sheets[0] : sheets.find(({ name }) => name === wished)
  if (!sheet)
    throw new BadWorkbook(wished === null ? 'This workbook has no sheet.' : `This workbook has no sheet '${wished}'.`)
  const [strings, formats] = [await stringsOf(zip, parts), await formatsOf(zip, parts)]
  await readRows(zip, sheet.part, { strings, formats, is1904 }, each)
  return { sheets: sheets.map(({ name }) => name), sheet: sheet.name }
}

async function partsOf(zip: ZipFile): Promise<Parts> {
  if (zip.entryCount > MAX_ENTRIES) throw new BadWorkbook(TOO_MUCH)
  const parts = new Map<string, Entry>()
  for await (const entry of zip.eachEntry()) parts.set(entry.fileName.replace(/^\//, ''), entry)
  return parts
}

function whatElse(parts: Parts): string {
  if (parts.has('xl/workbook.bin')) return 'This is a binary Excel workbook (.xlsb). Save it as .xlsx or as CSV first.'
  if (parts.has('content.xml')) return 'This is an OpenDocument file. Save the sheet as .xlsx or as CSV first.'
  return 'This ZIP is no Excel workbook.'
}

type Sheet = { name: string; part: Entry }

/** The sheets that can be seen, in their order. */
async function sheetsOf(zip: ZipFile, workbook: Entry, parts: Parts): Promise<{ sheets: Sheet[]; is1904: boolean }> {
  const named: { name: string; relation: string | undefined }[] = []
  let is1904 = false
  await readPart(zip, workbook, MAX_SMALL_BYTES, {
    opens(element, attributes) {
      if (element === 'workbookPr') is1904 = /^(1|true)$/.test(attributes['date1904'] ?? '')
      else if (element === 'sheet' && (attributes['state'] ?? 'visible') === 'visible')
        named.push({ name: attributes['name'] ?? '', relation: prefixed(attributes, 'id') })
    },
  })
  const targets = await relationsOf(zip, parts)
  const sheets = named.flatMap(({ name, relation }) => {
    const part = parts.get(targets.get(relation ?? '') ?? '')
    return part ? [{ name, part }] : []
  })
  return { sheets, is1904 }
}

/** Which part a sheet's relation leads to. Charts are sheets too, but have no rows. */
async function relationsOf(zip: ZipFile, parts: Parts): Promise<ReadonlyMap<string, string>> {
  const relations = parts.get('xl/_rels/workbook.xml.rels')
  if (!relations) throw new BadWorkbook(DAMAGED)
  const targets = new Map<string, string>()
  await readPart(zip, relations, MAX_SMALL_BYTES, {
    opens(_element, { Id, Type, Target }) {
      if (Id && Target && Type?.endsWith('/worksheet')) targets.set(Id, path.posix.resolve('/xl', Target).slice(1))
    },
  })
  return targets
}

/** The texts that cells refer to by number. */
async function stringsOf(zip: ZipFile, parts: Parts) {
  const strings = textPool()
  const part = parts.get('xl/sharedStrings.xml')
  if (!part) return strings
  let text: string | undefined
  let isText = false
  let isPhonetic = false
  await readPart(zip, part, MAX_STRINGS_BYTES, {
    opens(name) {
      if (name === 'si') text = ''
      else if (name === 'rPh') isPhonetic = true
      else if (name === 't') isText = !isPhonetic
    },
    text(more) {
      if (text === undefined || !isText) return
      text += more
      if (text.length > MAX_CELL) throw new BadWorkbook('A cell is too long.')
    },
    closes(name) {
      if (name === 'si') {
        strings.add(unescaped(text ?? ''))
        text = undefined
      } else if (name === 'rPh') isPhonetic = false
      else if (name === 't') isText = false
    },
  })
  return strings
}

/** How the cells of each style show a number. */
async function formatsOf(zip: ZipFile, parts: Parts): Promise<NumberFormat[]> {
  const part = parts.get('xl/styles.xml')
  if (!part) return []
  const codes = new Map<number, string>()
  const formats: NumberFormat[] = []
  let isOfCells = false
  await readPart(zip, part, MAX_STYLES_BYTES, {
    opens(name, attributes) {
      const id = Number(attributes['numFmtId'] ?? 0)
      if (name === 'numFmt') codes.set(id, attributes['formatCode'] ?? '')
      else if (name === 'cellXfs') isOfCells = true
      else if (name === 'xf' && isOfCells) formats.push(numberFormat(id, codes.get(id)))
    },
    closes(name) {
      if (name === 'cellXfs') isOfCells = false
    },
  })
  return formats
}
