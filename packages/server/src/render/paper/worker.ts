import { pdfmake } from '../invoice/pdfmake.ts'
import { answerWith } from '../workers/thread.ts'
import type { Paper } from './paper.ts'
import { paperDocument } from './paper-document.ts'

answerWith(async (paper: Paper) => pdfmake.createPdf(paperDocument(paper)).getBuffer())
