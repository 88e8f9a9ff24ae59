import { LEADING, layoutOf, settingOf } from '@backstock/contract/label-layout.ts'
import type { Dpi, LabelCode, Paper } from '@backstock/contract/label-paper.ts'
import {
  codeTexts,
  type LabelField,
  type LabelHolds,
  type LabelItem,
  labelLines,
} from '@backstock/contract/label-text.ts'
import { modulesOf, pictureOf } from './code-picture.ts'
import classes from './label.module.css'

const POINTS = 72 / 25.4
const FONT = "'Inter Variable', system-ui, sans-serif"
/** The distance from the top of a line to its baseline, as a part of the line's height. */
const BASELINE = 0.78

let canvas: CanvasRenderingContext2D | null | undefined
function measure(text: string, size: number, bold: boolean): number {
  canvas ??= document.createElement('canvas').getContext('2d')
  if (!canvas) return (text.length * size) / 2
  canvas.font = `${bold ? 600 : 400} ${size}px ${FONT}`
  return canvas.measureText(text).width
}

type Props = {
  item: LabelItem
  paper: Paper
  dpi: Dpi
  code: LabelCode
  holds: LabelHolds
  fields: readonly LabelField[]
}

/** A picture of an item's label, laid out by the same rules as the print. */
export function LabelPicture({ item, paper, dpi, code, holds, fields }: Props) {
  const { width, height } = paper.label
  const lines = labelLines(item, fields, 'Name of your shop')
  const fitting = codeTexts(item, holds).flatMap((text) => {
    const modules = modulesOf(code, text)
    const layout = layoutOf(paper, dpi, code, modules)
    return layout ? [{ layout, runs: pictureOf(code, text, modules) }] : []
  })[0]
  if (!fitting) return null
  const { layout, runs } = fitting
  const unit = layout.module
  const high = code === 'code128' ? layout.code.height : unit
  const path = runs.map((run) => {
    const [x, y] = [layout.code.x + run.x * unit, layout.code.y + run.y * unit]
    return `M${points(x)} ${points(y)}h${points(run.width * unit)}v${points(high)}h${points(-run.width * unit)}z`
  })
  return (
    <svg
      className={classes['label']}
      viewBox={`0 0 ${points(width)} ${points(height)}`}
      role="img"
      aria-label={`The first label: ${lines.map(({ text }) => text).join(', ')}`}
    >
      <path d={path.join('')} shapeRendering="crispEdges" />
      <Lines lines={lines} box={layout.text} />
    </svg>
  )
}

const points = (mm: number) => Math.round(mm * POINTS * 100) / 100

type LinesProps = { lines: ReturnType<typeof labelLines>; box: { x: number; y: number; width: number; height: number } }

function Lines({ lines, box }: LinesProps) {
  const set = settingOf(lines, box, measure)
  return set.rows.map(({ text, bold, size }, n) => (
    <text
      // biome-ignore lint/suspicious/noArrayIndexKey: two rows may have the same text
      key={n}
      x={points(box.x)}
      y={box.y * POINTS + (n + BASELINE) * set.size * LEADING}
      fontSize={size}
      fontWeight={bold ? 600 : 400}
      fontFamily={FONT}
    >
      {text}
    </text>
  ))
}
