import pdfmake from 'pdfmake'
import { READ_REGULAR, READ_SEMI_BOLD } from './read-fonts.ts'

declare module 'pdfmake' {
  /** Files by their names. Its types leave it out. */
  const virtualfs: { writeFileSync: (name: string, content: Uint8Array) => void }
}

pdfmake.setUrlAccessPolicy(() => false)
pdfmake.setLocalAccessPolicy(() => false)
pdfmake.virtualfs.writeFileSync('regular', READ_REGULAR)
pdfmake.virtualfs.writeFileSync('semi-bold', READ_SEMI_BOLD)
pdfmake.setFonts({ NotoSans: { normal: 'regular', bold: 'semi-bold' } })

/** pdfmake with our fonts, and without access to any file or address. */
export { pdfmake }
