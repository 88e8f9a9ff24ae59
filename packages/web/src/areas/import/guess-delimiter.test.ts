import { expect, test } from 'vitest'
import { guessDelimiter } from './guess-delimiter.ts'

const guess = (text: string) => guessDelimiter(new Blob([text]))

test('the header line tells the delimiter, whatever the rows hold', async () => {
  expect(await guess('imei;purchase_price\r\n356789012345678;1,234,567,89')).toBe(';')
  expect(await guess('\uFEFFimei,serial_number,notes\n1,2,"a;b;c;d"')).toBe(',')
  expect(await guess('sep=;\r\nimei;model,colour;make')).toBe(';')
  expect(await guess('imei\n356789012345678')).toBeNull()
})
