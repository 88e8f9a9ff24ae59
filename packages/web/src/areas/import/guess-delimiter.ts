const HEADER_BYTES = 16_384

/** The delimiter that a CSV file's header line has more of; null if it has neither. */
export async function guessDelimiter(file: Blob): Promise<',' | ';' | null> {
  const header = (await file.slice(0, HEADER_BYTES).text()).replace(/^\uFEFF?(sep=.\r?\n)?/, '').split(/[\r\n]/, 1)[0]
  const commas = header?.split(',').length ?? 0
  const semicolons = header?.split(';').length ?? 0
  return commas === semicolons ? null : semicolons > commas ? ';' : ','
}
