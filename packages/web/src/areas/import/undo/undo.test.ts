import type { ImportUndo } from '@backstock/contract/import-undo.ts'
import { expect, test } from 'vitest'
import { isUndoing, undoButton, undoSentences } from './undo.ts'

const undo = (patch: Partial<ImportUndo>): ImportUndo => ({
  ...{
    import_id: 1,
    state: null,
    refusal: null,
    error: null,
    progress: 0,
    restored: 0,
    removed: 0,
    kept_total: 0,
    kept: [],
  },
  ...{ undone_at: null, undone_by_name: null },
  ...patch,
})

test.each([
  [
    { removed: 1204, restored: 1, kept_total: 3 },
    [
      '1,204 items that it made will be removed.',
      '1 item that it changed will get its old values back.',
      '3 items will stay as they are.',
    ],
  ],
  [
    { state: 'undone', removed: 1, restored: 2, kept_total: 1 },
    ['1 item that it made was removed.', '2 items that it changed have their old values back.', '1 item stays.'],
  ],
  [{ state: 'failed', restored: 2 }, ['2 items that it changed will get their old values back.']],
] as const)('what is said of the undo %j', (patch, sentences) => {
  expect(undoSentences(undo(patch))).toEqual(sentences)
})

test('an undo is under way from the moment it is asked for to its end', () => {
  expect([null, undefined, 'waiting', 'undoing', 'undone', 'failed'].map((state) => isUndoing(state as never))).toEqual(
    [...[false, false, true, true, false, false]],
  )
})

test.each([
  [null, true, 'Undo import'],
  [null, false, undefined],
  ['waiting', false, 'Undo progress'],
  ['undoing', false, 'Undo progress'],
  ['undone', false, 'Undo result'],
  ['failed', true, 'Undo import'],
] as const)('the button of an undo that is %j, if one may undo: %j, says %j', (state, canUndo, words) => {
  expect(undoButton(state, canUndo)).toBe(words)
})
