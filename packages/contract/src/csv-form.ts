// How a supplier's CSV file may be written. Screens offer it, so there are no schemas here.

const ISO_PARTS = [2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16] as const

/** The encodings of files. Text that was read in one of them can be read in another, byte for byte. */
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
/** All that can be read. From and to one of two bytes for each letter a file is read anew. */
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
/** The characters between cells. */
export const SEPARATORS = [',', ';', '\t', '|'] as const
