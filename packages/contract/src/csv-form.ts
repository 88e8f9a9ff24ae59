// The forms in which a supplier's CSV file may be written. Screens import this file. So it has no Zod schemas, which
// would make the screens load Zod.

const ISO_PARTS = [2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16] as const

/**
 * Encodings from whose text the original bytes can be restored. If a text was read in a wrong encoding, the server can
 * read it in another one without the file.
 */
export const BYTE_ENCODINGS = [
  'utf-8',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-1258',
  'macintosh',
  'x-mac-cyrillic',
  ...ISO_PARTS.map((part) => `iso-8859-${part}` as const),
  'koi8-r',
  'koi8-u',
] as const
/**
 * All encodings that an import reads. To change to or from one that is not in `BYTE_ENCODINGS`, the server reads the
 * file again.
 */
export const ENCODINGS = [
  ...BYTE_ENCODINGS,
  'utf-16le',
  'utf-16be',
  'gb18030',
  'gbk',
  'big5',
  'shift_jis',
  'euc-jp',
  'euc-kr',
] as const
/** The characters that can separate the cells of a CSV file. */
export const SEPARATORS = [',', ';', '\t', '|'] as const
