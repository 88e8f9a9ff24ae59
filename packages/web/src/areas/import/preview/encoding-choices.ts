import { BYTE_ENCODINGS, ENCODINGS } from '@backstock/contract/csv-form.ts'

type Encoding = (typeof ENCODINGS)[number]

const NAMES: Record<Encoding, string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16, big end first',
  'windows-1252': 'Western Europe (1252)',
  'iso-8859-15': 'Western Europe (ISO 8859-15)',
  macintosh: 'Western Europe (Mac)',
  'windows-1250': 'Central Europe (1250)',
  'iso-8859-2': 'Central Europe (ISO 8859-2)',
  'iso-8859-16': 'South-Eastern Europe (ISO 8859-16)',
  'windows-1257': 'Baltic (1257)',
  'iso-8859-4': 'Baltic (ISO 8859-4)',
  'iso-8859-13': 'Baltic (ISO 8859-13)',
  'iso-8859-10': 'Nordic (ISO 8859-10)',
  'iso-8859-14': 'Celtic (ISO 8859-14)',
  'iso-8859-3': 'Maltese (ISO 8859-3)',
  'windows-1253': 'Greece (1253)',
  'iso-8859-7': 'Greece (ISO 8859-7)',
  'windows-1251': 'Cyrillic (1251)',
  'iso-8859-5': 'Cyrillic (ISO 8859-5)',
  'koi8-r': 'Cyrillic (KOI8-R)',
  'koi8-u': 'Ukrainian (KOI8-U)',
  'x-mac-cyrillic': 'Cyrillic (Mac)',
  'windows-1254': 'Turkish (1254)',
  'windows-1255': 'Hebrew (1255)',
  'iso-8859-8': 'Hebrew (ISO 8859-8)',
  'windows-1256': 'Arabic (1256)',
  'iso-8859-6': 'Arabic (ISO 8859-6)',
  'windows-1258': 'Vietnamese (1258)',
  gb18030: 'Chinese (GB18030)',
  gbk: 'Chinese (GBK)',
  big5: 'Chinese, traditional (Big5)',
  shift_jis: 'Japanese (Shift JIS)',
  'euc-jp': 'Japanese (EUC)',
  'euc-kr': 'Korean (EUC)',
}

/** The options of the select for encodings, usual ones first. `canBe` says which of them can be chosen now. */
export const encodingChoices = (canBe: (encoding: Encoding) => boolean) =>
  Object.entries(NAMES).flatMap(([name, label]) => {
    const value = ENCODINGS.find((one) => one === name)
    return value ? [{ value, label, disabled: !canBe(value) }] : []
  })

/**
 * Whether the server can read the rows that it has in this encoding, too. A change between two such encodings needs no
 * upload of the file.
 */
export const isByteEncoding = (encoding: string | null) => BYTE_ENCODINGS.some((one) => one === encoding)

export const aboutEncoding = (isGuessed: boolean, anew: string) =>
  `${isGuessed ? 'Guessed from the letters. Change it if some of them look wrong.' : 'Change it if letters look wrong.'} ${anew}`
