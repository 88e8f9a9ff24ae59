import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { EXPORT_COLUMNS, fieldFilledBy, IMPORT_FIELDS, plainColumnName } from './csv-columns.ts'
import { luhnCheckDigit } from './imei.ts'
import { ALIAS_KEYS } from './import-aliases.ts'
import { bareCapacities, guessColumns, headerRowOf, namelessColumns, splitModel } from './import-columns.ts'
import type { ColumnTarget } from './import-preview.ts'

const fieldsOf = (header: readonly string[], samples: readonly (readonly string[])[] = []) =>
  guessColumns(header, samples).map(({ field }) => field)
const fieldCalled = (name: string): ColumnTarget => IMPORT_FIELDS.find((field) => field === name) ?? null

// Headers as suppliers write them. `name: field` means that the column fills our field; a name alone becomes a further
// column.
const SUPPLIERS: Record<string, readonly string[]> = {
  'a broker in English': [
    'Item Description: model | Brand: make | Storage: capacity | Color: colour | Cosmetic Grade: grade',
    'IMEI No.: imei | Serial No: serial_number | Unit Price: purchase_price',
    'Carrier Lock: network_locked | Battery Health %: battery_health | Remarks: engineer_notes | PO',
    'Qty',
  ],
  'an auction house': [
    'Manufacturer: make | Model Name: model | Memory (GB): capacity | Colour: colour | IMEI1: imei',
    'IMEI2: imei2 | EID: eid | Condition: grade | Functionality: functional',
    'Price (EUR): purchase_price | Lot ID | Warehouse: location',
  ],
  German: [
    'Hersteller: make | Modell: model | Speicher: capacity | Farbe: colour | IMEI-Nr.: imei',
    'Seriennummer: serial_number | Zustand: grade | EK-Preis €: purchase_price',
    'Kaufdatum: purchase_date | MwSt.: vat | Lieferant: supplier | SIM-Lock: network_locked',
    'Akku: battery_health | Bemerkung: engineer_notes | Kategorie: category',
  ],
  'German with more letters': [
    'Marke: make | Bezeichnung: model | Speichergröße: capacity | Währung: purchase_currency',
    'Einzelpreis netto: purchase_price | Preis | Mängel: engineer_notes | Gerätetyp: category',
  ],
  French: [
    'Marque: make | Modèle: model | Capacité (Go): capacity | Couleur: colour',
    "N° de série: serial_number | État: grade | Prix d'achat HT: purchase_price",
    "Date d'achat: purchase_date | TVA: vat | Fournisseur: supplier | Remarques: engineer_notes",
    'Santé de la batterie: battery_health',
  ],
  Dutch: [
    'Merk: make | Toestel: model | Opslag: capacity | Kleur: colour | Serienummer: serial_number',
    'Inkoopprijs: purchase_price | Aankoopdatum: purchase_date | BTW: vat | Leverancier: supplier',
    'Conditie: grade | Opmerkingen: engineer_notes | Batterijconditie: battery_health',
  ],
  Spanish: [
    'Marca: make | Modelo: model | Almacenamiento: capacity | Color: colour',
    'Número de serie: serial_number | Precio de compra: purchase_price | Fecha de compra: purchase_date',
    'IVA: vat | Proveedor: supplier | Estado: grade | Observaciones: engineer_notes',
    'Categoría: category',
  ],
  Italian: [
    'Marca: make | Modello: model | Capacità: capacity | Colore: colour',
    'Numero di serie: serial_number | Prezzo di acquisto: purchase_price',
    'Data di acquisto: purchase_date | Aliquota IVA: vat | Fornitore: supplier | Condizione: grade',
    'Difetti: engineer_notes',
  ],
  Polish: [
    'Marka: make | Model: model | Pamięć: capacity | Kolor: colour | Numer seryjny: serial_number',
    'Numer IMEI: imei | Cena zakupu: purchase_price | Data zakupu: purchase_date | Stawka VAT: vat',
    'Dostawca: supplier | Stan: grade | Uwagi: engineer_notes | Blokada SIM: network_locked',
  ],
  'lists of prices': ['Libellé: model | PU HT: purchase_price | Liste IMEI: imei'],
  'a Polish invoice': ['Lp. | Nazwa towaru: model | Cena jedn. netto: purchase_price | Numery IMEI: imei'],
  'our own template': EXPORT_COLUMNS.map((name) => `${name}: ${name === 'batch' ? '' : name}`),
  'typed by hand': ['I.M.E.I: imei | MAKE: make | PurchasePrice: purchase_price | network.locked: network_locked'],
}

test.each(Object.entries(SUPPLIERS))('the columns of a file: %s', (_, lines) => {
  const columns = lines.flatMap((line) => line.split(' | ')).map((column) => column.split(': '))
  const header = columns.map(([name]) => name!)
  const expected = columns.map(([, field]) => (field === undefined ? 'further' : fieldCalled(field)))
  expect(fieldsOf(header)).toEqual(expected)
})

test('all names come first, then the other names, the one that says it best, then what is remembered', () => {
  const remembered = new Map<string, ColumnTarget>([
    [plainColumnName('Ref. 1'), 'serial_number'],
    [plainColumnName('Price'), 'sales_price'],
    [plainColumnName('Page'), null],
    [plainColumnName('Colour'), 'further'],
    [plainColumnName('Sales Price'), 'purchase_price'],
  ])
  const header = ['ref-1', 'Page', 'Price', 'Sales Price', 'Colour', 'Color', 'Unlocked']
  expect(guessColumns(header, [], remembered)).toEqual([
    { field: 'serial_number', how: 'remembered' },
    { field: null, how: 'remembered' },
    { field: 'purchase_price', how: 'alias' },
    { field: 'sales_price', how: 'name' },
    { field: 'colour', how: 'name' },
    { field: 'further', how: 'none' },
    { field: 'network_unlocked', how: 'alias' },
  ])
  expect(guessColumns(['Brand', 'Make', 'Title', 'Device'], [])).toEqual([
    { field: 'further', how: 'none' },
    { field: 'make', how: 'name' },
    { field: 'further', how: 'none' },
    { field: 'model', how: 'alias' },
  ])
  expect(fieldsOf(['Amount', 'Unit price', 'Cost'])).toEqual(['further', 'purchase_price', 'further'])
})

test('further words in a name do not hide it, but a price with VAT in it is another thing', () => {
  const header = ['Unit cost EUR excl. VAT', 'Grade (A-D)', 'IMEI No. [15 digits]', 'Vendor, zzgl. MwSt.']
  expect(fieldsOf(header)).toEqual(['purchase_price', 'grade', 'imei', 'supplier'])
  expect(fieldsOf(['Unit cost (incl. VAT)', 'Cost brutto (EUR)'])).toEqual(['further', 'further'])
  expect(fieldsOf(['Cost (old)', 'Cost'])).toEqual(['further', 'purchase_price'])
})

test('a price in another currency is one if it is the only one; a price with VAT or of sale never is', () => {
  for (const name of ['Price ($)', 'Price USD', 'Cena zł', 'Unit cost (GBP) excl. VAT', 'USD', '£', 'Eur.', 'Eur €'])
    expect(fieldsOf([name])).toEqual(['purchase_price'])
  expect(fieldsOf(['Price ($)', 'Price EUR'])).toEqual(['further', 'purchase_price'])
  expect(fieldsOf(['Price ($)', 'Price (£)'])).toEqual(['further', 'further'])
  for (const name of ['Price incl. VAT ($)', 'Sales price ($)', 'Tested']) expect(fieldsOf([name])).toEqual(['further'])
})

test.each([
  ['Unlocked', 'SIM free', 'Carrier unlocked', 'Unlocked?', 'Factory-Unlocked', 'No SIM lock'],
  ['Simlockvrij', 'SIM-lock vrij', 'Ontgrendeld', 'Zonder simlock'],
  ['SIM-Lock: frei', 'Simlockfrei', 'Entsperrt', 'Ohne SIM-Lock', 'Frei für alle Netze'],
  ['Désimlocké', 'Débloqué', 'Déverrouillé', 'Sans simlock', 'Libre'],
  ['Liberado', 'Desbloqueado', 'Libre de operador', 'Sin bloqueo'],
  ['Sbloccato', 'Libero da operatore', 'Senza blocco operatore'],
  ['bez simlocka', 'Odblokowany', 'Bez blokady SIM'],
])('a column that says the opposite of network locked is known as such: %s', (...names) => {
  for (const name of names) {
    expect([name, ...fieldsOf([name])]).toEqual([name, 'network_unlocked'])
    expect([name, ...fieldsOf([name], [['no'], ['']])]).toEqual([name, 'network_unlocked'])
    expect([name, ...fieldsOf([name], [['Vodafone'], ['O2']])]).toEqual([name, 'further'])
  }
})

test('so is one that says the opposite of functional', () => {
  for (const name of ['Faulty', 'Not working', 'Defekt', 'Kapot', 'En panne', 'Averiado', 'Guasto', 'Uszkodzony'])
    expect([name, ...fieldsOf([name], [['yes'], ['no']])]).toEqual([name, 'faulty'])
})

test('a field and its opposite are one field, and no name in brackets turns a column', () => {
  expect(fieldsOf(['Unlocked', 'SIM lock'])).toEqual(['further', 'network_locked'])
  expect(fieldsOf(['SIM lock (Y = unlocked)'], [['yes']])).toEqual(['further'])
  expect(fieldsOf(['Network (unlocked?)'], [['yes']])).toEqual(['network_unlocked'])
  // 'Network' does not tell whether yes means locked or unlocked.
  expect(fieldsOf(['Network'], [['yes'], ['no']])).toEqual(['further'])
})

test('an alias counts only if the cells can be of its field', () => {
  const column = (name: string, ...cells: string[]) =>
    fieldsOf(
      [name],
      cells.map((cell) => [cell]),
    )[0]
  expect(column('Network', 'Unlocked', 'locked', '')).toBe('network_locked')
  expect(column('Network', 'Vodafone', 'Unlocked')).toBe('further')
  expect(column('Size', '6.1"', '5.8"')).toBe('further')
  expect(column('Size', '128GB', '64 Go')).toBe('capacity')
  expect(column('Date', '18.11.2026', '2026-11-18')).toBe('purchase_date')
  expect(column('Kaufdatum', '11/25/26', '11/18/2026')).toBe('purchase_date')
  expect(column('Data', 'wiped', 'wiped')).toBe('further')
  expect(column('Price', '1.249,90', '€ 99', 'on request', '1', '2')).toBe('purchase_price')
  expect(column('Price', 'A', 'B')).toBe('further')
  // A total in a short file, and a spreadsheet's error, do not count against a column.
  expect(column('Price', '100', 'Total', '#REF!')).toBe('purchase_price')
  expect(
    fieldsOf(
      ['Price', 'Box'],
      [
        ['100', '1'],
        ['Page 1 of 2', ''],
      ],
    ),
  ).toEqual(['purchase_price', 'further'])
})

test('columns without a known name are known by what stands in them', () => {
  const imei = (n: number) => {
    const first = String(35_000_000_000_000 + n)
    return first + luhnCheckDigit(first)
  }
  const rows = Array.from({ length: 10 }, (_, n) => [
    n < 8 ? `'${imei(n)}` : 'n/a?',
    n < 7 ? imei(n + 50) : 'lost',
    `A000003A8CF${String(100 + n)}`,
    '8904903200123456789012345678901'.padEnd(32, String(n)),
    '',
    'x',
  ])
  const expected = ['imei', 'further', 'meid', 'eid', null, 'further']
  expect(fieldsOf(['Code', 'Other', 'Third', 'Chip', '', 'Note 1'], rows)).toEqual(expected)
  expect(
    fieldsOf(
      ['Other'],
      rows.map((row) => [row[1]!]),
    ),
  ).toEqual(['further'])
  expect(guessColumns(['', 'imei'], [[imei(1), imei(2)]])).toEqual([
    { field: null, how: 'none' },
    { field: 'imei', how: 'name' },
  ])
  expect(guessColumns([''], [[imei(1)]])).toEqual([{ field: 'imei', how: 'values' }])
  // A cell may also have the IMEIs of several phones.
  const gathered = (cells: string[]) =>
    fieldsOf(
      ['Liste', 'Menge'],
      cells.map((cell) => [cell, '2']),
    )
  expect(gathered([`${imei(1)}\n${imei(2)}`, `${imei(3)}, ${imei(4)};${imei(5)}`, imei(6), ''])).toEqual([
    'imei',
    'further',
  ])
  expect(gathered([`${imei(1)}, ${imei(2)}`, 'lost'])).toEqual(['further', 'further'])
})

test('text that only looks like an identifier is none, and empty and missing cells do not count', () => {
  const field = (...cells: string[]) =>
    fieldsOf(
      ['Code'],
      cells.map((cell) => [cell]),
    )[0]
  const imei = '490154203237518'
  expect(field(imei, '', '', '  ')).toBe('imei')
  expect(fieldsOf(['Other', 'Code'], [['a', imei], ['b'], ['c', imei]])).toEqual(['further', 'imei'])
  // None of these cells is an IMEI: the check digit is wrong, or there is a digit or a letter too many.
  for (const cell of ['490154203237519', `0${imei}`, `A${imei}`, `${imei}A`]) expect(field(cell)).toBe('further')
  const eid = '89049032001234567890123456789012'
  expect(field(eid)).toBe('eid')
  for (const cell of [`0${eid}`, `${eid}0`, eid.slice(1)]) expect(field(cell)).toBe('further')
  expect(field('A000003A8CF100')).toBe('meid')
  for (const cell of ['35000000000000', '0A000003A8CF100', 'A000003A8CF1000', 'A000003A8CF10'])
    expect(field(cell)).toBe('further')
})

test('a column under its very name comes before one that is called alike', () => {
  expect(fieldsOf(['Sales Price', 'sales_price'])).toEqual(['further', 'sales_price'])
})

test("grading data, a result's own columns, and two columns of one name", () => {
  expect(guessColumns(['row', 'result', 'id', 'message', 'imei', 'Grading_screen', 'Box', 'Box', 'id'], [])).toEqual([
    ...Array.from({ length: 4 }, () => ({ field: null, how: 'name' })),
    { field: 'imei', how: 'name' },
    { field: 'further', how: 'name' },
    { field: 'further', how: 'none' },
    { field: null, how: 'none' },
    { field: 'further', how: 'none' },
  ])
})

test('each field is found once at most, whatever the header', () => {
  const name = fc.oneof(
    fc.constantFrom(...ALIAS_KEYS.flatMap(([, keys]) => keys), ...EXPORT_COLUMNS, '', 'grading_x'),
    fc.string({ maxLength: 12 }),
  )
  fc.assert(
    fc.property(fc.array(name, { maxLength: 40 }), (header) => {
      const fields = fieldsOf(header)
        .map((field) => fieldFilledBy(field))
        .filter((field) => field !== null && field !== 'further')
      expect(new Set(fields).size).toBe(fields.length)
    }),
  )
})

test('the header that a file repeats among its rows is no price in another currency, and hides none', () => {
  expect(
    fieldsOf(
      ['IMEI', 'Price (GBP)'],
      [
        ['IMEI', 'Price (GBP)'],
        ['490154203237518', '249.90'],
      ],
    ),
  ).toEqual(['imei', 'purchase_price'])
})

test('no name means two fields', () => {
  const seen = new Map<string, string>()
  for (const [field, keys] of ALIAS_KEYS)
    for (const key of keys) {
      expect([key, seen.get(key) ?? field]).toEqual([key, field])
      seen.set(key, field)
    }
})

test('the header is the row that knows most, below titles and above the rows', () => {
  const header = ['Brand', 'Model', 'IMEI', 'Price', 'Grade']
  const row = ['Apple', 'iPhone 13', '490154203237518', '249.90', 'A']
  expect(headerRowOf([header, row, row])).toBe(0)
  expect(headerRowOf([['Foxway AB'], ['Supplier', 'Foxway AB'], ['Date', '18.11.2026'], [], header, row])).toBe(4)
  expect(
    headerRowOf([
      ['Stock list', ''],
      ['Alpha', 'Beta', 'Gamma'],
      ['a', 'b', 'c'],
    ]),
  ).toBe(1)
  expect(headerRowOf([])).toBe(0)
  expect(headerRowOf([...Array.from({ length: 20 }, () => ['x']), header])).toBe(0)
})

test('a row of one known name is the header if it stands alone; else the first row with as many cells is', () => {
  expect(headerRowOf([['Delivery', 'of May'], ['IMEI'], ['490154203237518']])).toBe(1)
  expect(
    headerRowOf([
      ['Foo', 'Bar', 'Baz'],
      ['a', 'b', 'c'],
      ['Model', 'x', 'y'],
    ]),
  ).toBe(0)
  expect(headerRowOf([['Delivery'], ['Foo', 'Bar', 'IMEI'], ['a', 'b', 'c']])).toBe(1)
  expect(headerRowOf([['Delivery'], ['Foo', 'Bar'], ['IMEI', 'x', 'y'], ['a', 'b', 'c']])).toBe(2)
  // Cells that are empty or blank do not count.
  expect(
    headerRowOf([
      ['Delivery', '', ' ', ''],
      ['Foo', 'Bar'],
      ['a', 'b'],
    ]),
  ).toBe(1)
})

test('a row with an IMEI in it is a phone and no header, whatever else it says', () => {
  const phone = ['490154203237518', 'Apple', 'iPhone 13', 'Phone', 'Black', '249.90']
  expect(headerRowOf([phone, phone])).toBeNull()
  expect(headerRowOf([["'49-015420-323751-8 ", 'x'], phone])).toBeNull()
  expect(headerRowOf([['Foxway AB'], ['Supplier', 'Foxway AB'], phone, phone])).toBeNull()
  expect(headerRowOf([phone, ['IMEI', 'Make', 'Model', 'Category', 'Colour', 'Price'], phone])).toBeNull()
  // A row with a right IMEI is a phone. So the row above it is the header, even if its names are unknown.
  expect(headerRowOf([['Foo', 'Bar', 'Baz', '', '', ''], phone])).toBe(0)
  expect(
    headerRowOf([
      ['490154203237519', 'Apple', 'iPhone 13'],
      ['a', 'b', 'c'],
    ]),
  ).toBe(0)
  expect(headerRowOf([['Numbers'], ['490154203237518']])).toBe(0)
  // A wide row with a date, an amount or an error, and with more values than names, is a phone too.
  const values = ['Apple', 'Phone', '18.11.2026', '€ 249.90', 'unlocked', 'working']
  const broken = ['Apple', 'Phone', '#N/A', '249', 'unlocked', 'faulty']
  expect(headerRowOf([values, broken, values])).toBeNull()
  expect(headerRowOf([['Foxway AB'], broken])).toBeNull()
  expect(headerRowOf([['Foo', 'Bar', 'Baz', 'a', 'b', 'c'], values])).toBe(0)
  // Dates and words such as `Pass` may be names of columns, and a title may have a date.
  expect(headerRowOf([['Make', 'Model', '18.11.2026', '25.11.2026'], values])).toBe(0)
  expect(headerRowOf([['Model', 'Pass', 'Fail', 'Untested'], values])).toBe(0)
  expect(
    headerRowOf([['Date', '18.11.2026', '€ 10'], ['Brand', 'Model', 'IMEI', 'Price', 'Grade', 'Box'], values]),
  ).toBe(1)
  // A known name that stands alone below a table is a footer.
  expect(headerRowOf([values.slice(1), ['Prix hors taxes'], ['Total', '', '12']])).toBeNull()
  expect(headerRowOf([['Foo', 'Bar', 'Baz'], ['a', 'b', 'c'], ['Prix hors taxes']])).toBe(0)
  expect(headerRowOf([['Foo', 'Bar'], ['a', 'b'], ['a', 'c'], ['Prix hors taxes']])).toBe(0)
  expect(namelessColumns([['a'], ['a', 'b', 'c'], []])).toEqual(['Column 1', 'Column 2', 'Column 3'])
})

test('a model is taken apart in each way that it may mean', () => {
  expect(splitModel(null, ' Apple  iPhone 13 128GB ')).toEqual([
    { model: 'Apple iPhone 13 128GB' },
    { make: 'Apple', model: 'iPhone 13 128GB' },
    { make: 'Apple iPhone', model: '13 128GB' },
    { make: 'Apple iPhone 13', model: '128GB' },
    { model: 'Apple iPhone 13', capacity: 128, capacity_unit: 'GB' },
    { make: 'Apple', model: 'iPhone 13', capacity: 128, capacity_unit: 'GB' },
    { make: 'Apple iPhone', model: '13', capacity: 128, capacity_unit: 'GB' },
  ])
  expect(splitModel('apple', 'Apple iPhone 13 (1 To)')).toEqual([
    { model: 'Apple iPhone 13 (1 To)' },
    { make: 'apple', model: 'iPhone 13 (1 To)' },
    { model: 'Apple iPhone 13', capacity: 1, capacity_unit: 'TB' },
    { make: 'apple', model: 'iPhone 13', capacity: 1, capacity_unit: 'TB' },
  ])
  expect(splitModel('Apple', 'Applepie')).toEqual([{ model: 'Applepie' }])
  expect(splitModel(null, ' ')).toEqual([])
})

test.each([
  ['Galaxy S23 8/256GB', 'Galaxy S23', '256 GB'],
  ['Galaxy S23 8/256 GB', 'Galaxy S23', '256 GB'],
  ['Galaxy S23 (8/256GB)', 'Galaxy S23', '256 GB'],
  ['Galaxy S23 8GB/256GB', 'Galaxy S23', '256 GB'],
  ['Galaxy S23 8GB RAM 256GB', 'Galaxy S23', '256 GB'],
  ['Galaxy S23 256GB 8GB RAM', 'Galaxy S23', '256 GB'],
  ['Galaxy S23 256/8GB', 'Galaxy S23', '256 GB'],
  ['Redmi Note 12 8+256', 'Redmi Note 12', '256 GB'],
  ['Poco X3 6/128Go', 'Poco X3', '128 GB'],
  ['Galaxy S24 Ultra 12GB/1TB', 'Galaxy S24 Ultra', '1 TB'],
  ['ROG Phone 6 16/512GB', 'ROG Phone 6', '512 GB'],
  ['ROG Phone 6 16/256GB', 'ROG Phone 6', '256 GB'],
  ['ROG Phone 8 24GB/1TB', 'ROG Phone 8', '1 TB'],
  ['Moto E5 2/16GB', 'Moto E5', '16 GB'],
  // The first number belongs to the model.
  ['iPhone 12/128GB', 'iPhone 12', '128 GB'],
  ['Redmi Note 12 128GB', 'Redmi Note 12', '128 GB'],
  ['Galaxy S21 5G 128GB', 'Galaxy S21 5G', '128 GB'],
  // The numbers may be two capacities, so neither is taken.
  ['iPhone 13 64/128GB', null, null],
  ['iPhone 6 16GB/64GB', null, null],
  ['iPhone 4 8/16GB', null, null],
  ['iPhone 7 16/128GB', null, null],
  ['iPad 9 32/256GB', null, null],
  ['Galaxy S23 8GB RAM', null, null],
])('the capacity in the name %s: %s with %s', (name, model, capacity) => {
  const last = splitModel('X', name).at(-1)
  expect(last).toEqual(
    model === null || capacity === null
      ? { model: name }
      : { model, capacity: Number.parseInt(capacity, 10), capacity_unit: capacity.slice(-2) },
  )
})

test.each([
  ['iPhone 14 Pro 256', 'iPhone 14 Pro', '256 GB', true],
  ['iPhone XR (128)', 'iPhone XR', '128 GB', true],
  ['Galaxy S24 Ultra 1024', 'Galaxy S24 Ultra', '1 TB', true],
  ['iPhone 12/128', 'iPhone 12', '128 GB', true],
  ['iPhone 13 64', 'iPhone 13', '64 GB', false],
  ['iPhone X 64', 'iPhone X', '64 GB', false],
  ['iPhone 16', 'iPhone', '16 GB', false],
  ['Nokia 128', 'Nokia', '128 GB', false],
  ['Galaxy A 32', null, null, null],
  ['Nokia 105', null, null, null],
  ['Galaxy S23 8/256', null, null, null],
  ['iPhone 13 128GB', null, null, null],
  ['256', null, null, null],
])('the number without a unit in the name %s: %s with %s, surely: %s', (name, model, capacity, isSure) => {
  const unit = capacity?.slice(-2)
  expect(bareCapacities('X', name)).toEqual(
    model === null || capacity === null
      ? []
      : [{ split: { model, capacity: Number.parseInt(capacity, 10), capacity_unit: unit }, isSure }],
  )
})

test('two columns of one name, or one with a name of ours, are never kept twice under it', () => {
  const remembered = new Map<string, ColumnTarget>([
    ['box', 'further'],
    ['salesprice', 'further'],
  ])
  const guessed = guessColumns(['Box', 'Box', 'sales_price'], [['a', 'b', '1']], remembered)
  expect(guessed.map(({ field }) => field)).toEqual(['further', null, 'sales_price'])
})

test('a second column with a name of ours gets the field that is remembered for it', () => {
  const remembered = new Map<string, ColumnTarget>([['salesprice', 'purchase_price']])
  const guessed = guessColumns(['sales_price', 'sales_price'], [['1', '2']], remembered)
  expect(guessed.map(({ field }) => field)).toEqual(['sales_price', 'purchase_price'])
})

test.each(['\ufdfa', ' ', "'", '1 .', 'a\u0301', 'x', '\u3316', '(', '- ', '\u0315\u0300'])(
  'a file as wide and as long as can be whose cells are full of %j is judged without making them plain',
  (one) => {
    const seen = vi.spyOn(String.prototype, 'normalize')
    const cell = (n: number) => `a${one.repeat(240 / one.length)}b${n}`
    const rows = Array.from({ length: 20 }, (_, row) => Array.from({ length: 1500 }, (_, n) => cell(row * 1500 + n)))
    expect(headerRowOf(rows)).toBe(0)
    expect(guessColumns(rows[0] ?? [], rows).every(({ field }) => field === 'further')).toBe(true)
    expect(seen).not.toHaveBeenCalled()
    seen.mockRestore()
  },
)
