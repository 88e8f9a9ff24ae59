import { labelsOn, type Paper } from '@backstock/contract/label-paper.ts'
import { useId } from 'react'
import classes from './label.module.css'

type Props = { paper: Paper; first: number; count: number; onFirst: (first: number) => void }

/** A small picture of a sheet. A click on a label makes it the first one to be printed. */
export function SheetPicture({ paper, first, count, onFirst }: Props) {
  const name = useId()
  const { page } = paper
  const sheets = Math.ceil((first - 1 + count) / labelsOn(paper))
  return (
    <fieldset className={classes['sheetPart']}>
      <legend>First free label</legend>
      <div className={classes['sheetAndNote']}>
        <div
          className={classes['sheet']}
          style={{
            gridTemplate: `repeat(${paper.rows}, minmax(var(--least), 1fr)) / repeat(${paper.columns}, 1fr)`,
            aspectRatio: `${page.width} / ${page.height}`,
            padding: `${(paper.top / page.width) * 100}% ${(paper.left / page.width) * 100}%`,
          }}
        >
          {Array.from({ length: labelsOn(paper) }, (_, n) => n + 1).map((label) => (
            <label key={label} data-state={label < first ? 'gone' : label < first + count ? 'printed' : 'free'}>
              <input
                type="radio"
                name={name}
                checked={label === first}
                aria-label={`Label ${label}`}
                onChange={() => onFirst(label)}
              />
              {label === first && label}
            </label>
          ))}
        </div>
        <p role="status">
          From label {first} of {labelsOn(paper)}. {sheets > 1 && `${sheets.toLocaleString('en')} sheets.`}
        </p>
      </div>
    </fieldset>
  )
}
