import type { Metadata } from 'sharp'
import { expect, test } from 'vitest'
import { isAffordable } from './picture-cost.ts'

const PNG = { format: 'png', width: 5000, height: 8000, channels: 4, depth: 'uchar' }
const JPEG = { ...PNG, format: 'jpeg', channels: 3, isProgressive: true, chromaSubsampling: '4:4:4' }

test.each([
  [{}, true],
  [{ width: 5001 }, false],
  [{ channels: 3, depth: 'ushort' }, false],
  [{ height: 5000, channels: 3, depth: 'ushort' }, true],
  [{ height: 5000, channels: 3, depth: 'float' }, false],
  [{ ...JPEG }, false],
  [{ ...JPEG, isProgressive: false }, true],
  [{ ...JPEG, width: 5001, isProgressive: false }, false],
  [{ ...JPEG, chromaSubsampling: '4:2:0' }, true],
  [{ ...JPEG, height: 5333 }, true],
  [{ ...JPEG, height: 5334 }, false],
])('a picture with %j may be opened: %s', (changes, affordable) => {
  expect(isAffordable({ ...PNG, ...changes } as Metadata)).toBe(affordable)
})
