import path from 'node:path'
import { guessColumns, headerRowOf } from '@backstock/contract/import-columns.ts'
import { type Entry, fromFdPromise, type ZipFile } from 'yauzl'
import { first } from '../../../../lists.ts'
import { BadWorkbook, DAMAGED, TOO_MUCH } from './bad-workbook.ts'
import { mergedCellsOf } from './merged-cells.ts'
import { type NumberFormat, numberFormat } from './number-text.ts'
import { hiddenSheets } from './sheet-names.ts'
import { MAX_SHEET_BYTES, readRows, type Shared, type SheetFacts, unescaped } from './sheet-rows.ts'
import { textPool } from './text-pool.ts'
import { MAX_CELL, readPart, relationOf } from './xml-part.ts'

const MAX_ENTRIES = 1_000
const MAX_STRINGS_BYTES = 120_000_000
const MAX_STYLES_BYTES = 20_000_000
const MAX_SMALL_BYTES = 5_000_000
const WORKBOOK = 'xl/workbook.xml'
/**
 * The `calcId` of workbooks by XlsxWriter and openpyxl. These programs write 0 or nothing as the result of each
 * formula.
 */
const UNCALCULATED = '124519'

/**
 * The parts of a workbook by their paths in lower case, because the case of a path does not matter (ECMA-376, part 2).
 */
type Parts = ReadonlyMap<string, Entry>
type Relation = { type: string; target: string }
type Relations = ReadonlyMap<string, Relation>
/** `sheets` has the names of the visible sheets, `hidden` those of the hidden ones. */
export type SheetRead = { sheets: string[]; hidden: string[]; sheet: string; facts: SheetFacts }
/** A `sheet` of null means the first sheet that has a table. */
export type SheetChoice = { sheet: string | null; leavesOutHidden?: boolean }

/**
 * Reads the rows of a sheet of an Excel workbook: the sheet with this name, or the first visible one that has a table.
 * `fd` is an open file. Throws `BadWorkbook`, or any other error if the file is damaged.
 */
export async function readWorkbook(
  fd: number,
  choice: SheetChoice,
  each: (row: number, cells: string[]) => void,
): Promise<SheetRead> {
  const zip = await fromFdPromise(fd, { lazyEntries: true, autoClose: false })
  const parts = await partsOf(zip)
  const main = await mainOf(zip, parts)
  const workbook = parts.get(main)
  if (!workbook || main.endsWith('.bin')) throw new BadWorkbook(whatElse(parts))
  const relations = await relationsOf(zip, parts, main)
  const { sheets, hidden, ...calculated } = await sheetsOf(zip, workbook, parts, relations)
  const [first] = choice.sheet === null ? sheets : sheets.filter(({ name }) => name === choice.sheet)
  if (!first)
    throw new BadWorkbook(
      choice.sheet === null
        ? `This workbook has no sheet${hidden.length > 0 ? ' that can be seen' : ''}.${hiddenSheets(hidden)}`
        : `This workbook has no sheet '${choice.sheet}'.`,
    )
  const strings = await stringsOf(zip, partOf(parts, relations, main, 'sharedStrings').part)
  const styles = partOf(parts, relations, main, 'styles')
  // Without styles, dates would be read as numbers. If the texts are missing, the first cell that needs one reports it.
  if (styles.missing) throw new BadWorkbook(`This workbook is damaged: its part ${styles.missing} is missing.`)
  const formats = await formatsOf(zip, styles.part)
  const shared = { strings, formats, ...calculated }
  const { name, part } = choice.sheet === null ? await sheetWithTable(zip, sheets, shared) : first
  const ranges = await mergedCellsOf(zip, part, MAX_SHEET_BYTES)
  const facts = await readRows(zip, part, shared, each, { ...choice, ranges })
  return { sheets: sheets.map((sheet) => sheet.name), hidden, sheet: name, facts }
}

/** The number of rows that are enough to see whether a sheet has a table. */
const LOOKED_AT = 20
const ENOUGH = Symbol('enough')

/** The sheet whose first rows look most like a table; if several are equal, the first of them. */
async function sheetWithTable(zip: ZipFile, sheets: readonly Sheet[], shared: Shared): Promise<Sheet> {
  let best = { sheet: first(sheets), likeness: 0 }
  if (sheets.length === 1) return best.sheet
  for (const sheet of sheets) {
    const rows: string[][] = []
    try {
      await readRows(zip, sheet.part, shared, (_, cells) => {
        rows.push(cells)
        if (rows.length === LOOKED_AT) throw ENOUGH
      })
    } catch (error) {
      if (error !== ENOUGH) throw error
    }
    const likeness = likenessToTable(rows)
    if (likeness === A_TABLE) return sheet
    if (likeness > best.likeness) best = { sheet, likeness }
  }
  return best.sheet
}

const A_TABLE = 3
/**
 * How much the first rows of a sheet look like a table: 3 for a header with names that we know, or a phone; 2 for two
 * rows with several cells; 1 for anything else; 0 for nothing.
 */
function likenessToTable(rows: readonly (readonly string[])[]): number {
  const at = headerRowOf(rows)
  if (at === null) return A_TABLE
  const known = guessColumns(rows[at] ?? [], rows.slice(at + 1)).filter(({ how }) => how !== 'none').length
  if (known > 1 && rows.length > at + 1) return A_TABLE
  const wide = rows.filter((row) => row.filter(Boolean).length > 1).length
  return wide > 1 ? 2 : Math.min(1, rows.length)
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
  return 'This ZIP is not an Excel workbook.'
}

type Sheet = { name: string; part: Entry }

/** The visible sheets in their order, and the names of the hidden ones. */
async function sheetsOf(
  zip: ZipFile,
  workbook: Entry,
  parts: Parts,
  relations: Relations,
): Promise<{ sheets: Sheet[]; hidden: string[]; is1904: boolean; isUncalculated: boolean }> {
  const named: { name: string; relation: string | undefined; isHidden: boolean }[] = []
  let is1904 = false
  let isUncalculated = false
  await readPart(zip, workbook, MAX_SMALL_BYTES, {
    opens(element, attributes) {
      if (element === 'calcPr') isUncalculated = attributes['calcId'] === UNCALCULATED
      else if (element === 'workbookPr') is1904 = /^(1|true)$/.test(attributes['date1904'] ?? '')
      else if (element === 'sheet')
        named.push({
          name: attributes['name'] ?? '',
          relation: relationOf(attributes),
          isHidden: (attributes['state'] ?? 'visible') !== 'visible',
        })
    },
  })
  const all = named.flatMap(({ name, relation, isHidden }) => {
    const found = relations.get(relation ?? '')
    const part = found?.type === 'worksheet' ? parts.get(found.target) : undefined
    return part ? [{ name, part, isHidden }] : []
  })
  const sheets = all.filter(({ isHidden }) => !isHidden)
  const hidden = all.filter(({ isHidden }) => isHidden).map(({ name }) => name)
  return { sheets, hidden, is1904, isUncalculated }
}

/** The path of the workbook's main part, to which the package refers. */
async function mainOf(zip: ZipFile, parts: Parts): Promise<string> {
  if (!parts.has('_rels/.rels')) return WORKBOOK
  const relations = await relationsOf(zip, parts, '')
  return [...relations.values()].find(({ type }) => type === 'officeDocument')?.target ?? WORKBOOK
}

/**
 * The relations of a part to other parts; '' means those of the package. Charts are listed as sheets too, but have no
 * rows.
 */
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

/** An optional part of the workbook. `missing` is its path if the workbook refers to it but does not contain it. */
function partOf(
  parts: Parts,
  relations: Relations,
  main: string,
  type: string,
): { part: Entry | undefined; missing?: string | undefined } {
  const named = [...relations.values()].find((relation) => relation.type === type)
  const part = parts.get(named?.target ?? path.posix.join(path.posix.dirname(main), `${type}.xml`).toLowerCase())
  return part ? { part } : { part, missing: named?.target }
}

/** Reads the texts to which cells refer by number. */
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

/** Reads the way in which each cell style shows numbers. */
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
