import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { glyphsOf, MISSING, printable } from './font-glyphs.ts'

const { resolve } = createRequire(import.meta.url)

/** The font files for documents. */
export const REGULAR = resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf')
export const SEMI_BOLD = resolve('@expo-google-fonts/noto-sans/600SemiBold/NotoSans_600SemiBold.ttf')

let read: ReturnType<typeof glyphsOf> | undefined
/** The characters of the font. The file is read once, and only if a text has more than ASCII. */
const glyphs = {
  has(codePoint: number) {
    read ??= glyphsOf(readFileSync(REGULAR))
    return read.has(codePoint)
  },
}

/** A text in the form in which documents print it. */
export const printed = (text: string): string => printable(text, glyphs)

/** Whether the font has all letters of a text. For example, it has no Chinese or Arabic letters. */
export const canPrint = (text: string): boolean => !printed(text).includes(MISSING)
