import path from 'node:path'
import { type Entry, fromFdPromise, type ZipFile } from 'yauzl'
import { BadWorkbook, DAMAGED, TOO_MUCH } from './bad-workbook.ts'
import { type NumberFormat, numberFormat } from './number-text.ts'
import { readRows, unescaped } from './sheet-rows.ts'
import { textPool } from './text-pool.ts'
import { MAX_CELL, readPart, relationOf } from './xml-part.ts'

const MAX_ENTRIES = 1_000
const MAX_STRINGS_BYTES = 120_000_000
const MAX_STYLES_BYTES = 20_000_000
const MAX_SMALL_BYTES = 5_000_000
const WORKBOOK = 'xl/workbook.xml'

/** By their paths in lower case: names of parts are equal whatever their case (ECMA-376, part 2). */
type Parts = ReadonlyMap<string, Entry>
type Relation = { type: string; target: string }
type Relations = ReadonlyMap<string, Relation>
export type SheetRead = { sheets: string[]; sheet: string }

/**
 * Reads the rows of an Excel workbook's sheet: the one of this name, or the first that can be seen and has a row. `fd` is
 * a file. Throws `BadWorkbook`, or any other error if the file is damaged.
 */
export async function readWorkbook(
  fd: number,
  wished: string | null,
  each: (row: number, cells: string[]) => void,
): Promise<SheetRead> {
  const zip = await fromFdPromise(fd, { lazyEntries: true, autoClose: false })
  const parts = await partsOf(zip)
  const main = await mainOf(zip, parts)
  const workbook = parts.get(main)
  if (!workbook || main.endsWith('.bin')) throw new BadWorkbook(whatElse(parts))
  const relations = await relationsOf(zip, parts, main)
  const { sheets, is1904 } = await sheetsOf(zip, workbook, parts, relations)
  const wanted = wished === null ? sheets : sheets.filter(({ name }) => name === wished).slice(0, 1)
  const [first] = wanted
  if (!first)
    throw new BadWorkbook(wished === null ? 'This workbook has no sheet.' : `This workbook has no sheet '${wished}'.`)
  const strings = await stringsOf(zip, partOf(parts, relations, main, 'sharedStrings'))
  const formats = await formatsOf(zip, partOf(parts, relations, main, 'styles'))
  const answer = { sheets: sheets.map(({ name }) => name), sheet: first.name }
  for (const { name, part } of wanted) {
    let isEmpty = true
    await readRows(zip, part, { strings, formats, is1904 }, (row, cells) => {
      isEmpty = false
      each(row, cells)
    })
    if (!isEmpty) return { ...answer, sheet: name }
  }
  return answer
}

async function partsOf(zip: ZipFile): Promise<Parts> {
  if (zip.entryCount > MAX_ENTRIES) throw new BadWorkbook(TOO_MUCH)
  const parts = new Map<string, Entry>()
  for await (const entry of zip.eachEntry()) parts.set(entry.fileName.replace(/^\//, '').toLowerCase(), entry)
  return parts
}

function whatElse(parts: Parts): string {
  if (parts.has('xl/workbook.bin')) return 'This is a binary Excel workbook (.xlsb). Save it as .xlsx or as CSV first.'
  if (parts.has('content.xml')) return 'This is an OpenDocument file. Save the sheet as .xlsx or as CSV first.'
  return 'This ZIP is no Excel workbook.'
}

type Sheet = { name: string; part: Entry }

/** The sheets that can be seen, in their order. */
async function sheetsOf(
  zip: ZipFile,
  workbook: Entry,
  parts: Parts,
  relations: Relations,
): Promise<{ sheets: Sheet[]; is1904: boolean }> {
  const named: { name: string; relation: string | undefined }[] = []
  let is1904 = false
  await readPart(zip, workbook, MAX_SMALL_BYTES, {
    opens(element, attributes) {
      if (element === 'workbookPr') is1904 = /^(1|true)$/.test(attributes['date1904'] ?? '')
      else if (element === 'sheet' && (attributes['state'] ?? 'visible') === 'visible')
        named.push({ name: attributes['name'] ?? '', relation: relationOf(attributes) })
    },
  })
  const sheets = named.flatMap(({ name, relation }) => {
    const found = relations.get(relation ?? '')
    const part = found?.type === 'worksheet' ? parts.get(found.target) : undefined
    return part ? [{ name, part }] : []
  })
  return { sheets, is1904 }
}

/** Where the workbook itself stands: its package says so. */
async function mainOf(zip: ZipFile, parts: Parts): Promise<string> {
  if (!parts.has('_rels/.rels')) return WORKBOOK
  const relations = await relationsOf(zip, parts, '')
  return [...relations.values()].find(({ type }) => type === 'officeDocument')?.target ?? WORKBOOK
}

/** Which parts a part's relations lead to; '' is the package. Charts are sheets too, but have no rows. */
async function relationsOf(zip: ZipFile, parts: Parts, of: string): Promise<Relations> {
  const { dir, base } = path.posix.parse(of)
  const part = parts.get(path.posix.join(dir, '_rels', `${base}.rels`))
  if (!part) throw new BadWorkbook(DAMAGED)
  const relations = new Map<string, Relation>()
  await readPart(zip, part, MAX_SMALL_BYTES, {
    opens(_element, { Id, Type, Target }) {
      if (!Id || !Target || !Type) return
      const target = path.posix.resolve('/', dir, Target).slice(1).toLowerCase()
      relations.set(Id, { type: Type.slice(Type.lastIndexOf('/') + 1), target })
    },
  })
  return relations
}

/** A part of the workbook that not every one has. One that is named and missing makes the workbook damaged. */
function partOf(parts: Parts, relations: Relations, main: string, type: string): Entry | undefined {
  const named = [...relations.values()].find((relation) => relation.type === type)
  const part = parts.get(named?.target ?? path.posix.join(path.posix.dirname(main), `${type}.xml`).toLowerCase())
  if (named && !part) throw new BadWorkbook(`This workbook is damaged: its part ${named.target} is missing.`)
  return part
}

/** The texts that cells refer to by number. */
async function stringsOf(zip: ZipFile, part: Entry | undefined) {
  const strings = textPool()
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
async function formatsOf(zip: ZipFile, part: Entry | undefined): Promise<NumberFormat[]> {
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
