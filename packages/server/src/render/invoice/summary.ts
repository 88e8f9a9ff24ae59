import { formatAmount } from '@backstock/contract/format-in-language.ts'
import type { Content } from 'pdfmake/interfaces.js'
import { breaking } from './breaking.ts'
import { showsGross } from './columns.ts'
import { isEarlier } from './data.ts'
import { GAP, HAIRLINE, headingCell, INK, INNER, label, plain, type Words } from './look.ts'
import { modelsOf, netSum, priceSum, taxedSum } from './rows.ts'

const QUANTITY = 44
const SUM = 74

/** The number and the sum of each model, below the lines, if there are many lines. */
export function summary(words: Words, rows: number): Content[] {
  const { t, lang, data } = words
  const models = isEarlier(data) ? [] : modelsOf(data.lines, rows)
  if (models.length === 0) return []
  const hasMargin = data.lines.some(({ treatment }) => treatment === 'margin')
  const sums = [
    showsGross(words) ? { heading: t.netSum, of: taxedSum } : { heading: hasMargin ? t.sum : t.netSum, of: netSum },
    ...(showsGross(words) ? [{ heading: t.grossSum, of: priceSum }] : []),
  ]
  const figures = [QUANTITY, ...sums.map(() => SUM)]
  const name = INNER - figures.reduce((sum, width) => sum + width + GAP, 0)
  const right = (text: string) => ({ text, alignment: 'right' as const })
  return [
    { ...label(t.summary), margin: [0, 18, 0, 0] },
    {
      fontSize: 8.5,
      layout: {
        ...plain(3),
        hLineWidth: (row) => (row === 0 ? 0 : 0.5),
        hLineColor: (row) => (row === 1 ? INK : HAIRLINE),
      },
      table: {
        headerRows: 1,
        dontBreakRows: true,
        widths: [name, ...figures],
        body: [
          [
            headingCell(t.description),
            ...[t.quantity, ...sums.map(({ heading }) => heading)].map((text) => headingCell(text, true)),
          ],
          ...models.map((model) => [
            breaking({ text: model.name }, name),
            right(String(model.devices.length)),
            ...sums.map(({ of }) => right(formatAmount(of(model), lang))),
          ]),
        ],
      },
    },
  ]
}
