import { answerOnce } from '../../../render/workers/process.ts'
import { BadBankFile, type BankFileLines } from './bank-line.ts'
import { readBankFile } from './read-file.ts'

export type BankAnswer = BankFileLines | { refused: string }

answerOnce<null, BankAnswer>(async (content) => {
  try {
    return await readBankFile(content)
  } catch (error) {
    return {
      refused: error instanceof BadBankFile ? error.message : 'This file is damaged: it cannot be read to its end.',
    }
  }
})
