import { formatDate, formatMoneyWithCode } from '@backstock/contract/format-in-language.ts'
import { shownIban } from '@backstock/contract/party-numbers.ts'
import { PAYMENT_TEXTS } from '../invoice/payment-texts.ts'
import { sentences } from '../paper/letter.ts'
import { LETTER_TEXTS, letterTitle } from '../paper/letter-texts.ts'
import type { LetterPaper } from '../paper/paper.ts'
import { type MailBody, oneLine, writeBody } from './mail.ts'
import { MAIL_TEXTS } from './texts.ts'

/** The mail with a statement or a reminder. It says the same as the letter, without the lines. */
export function composeLetterMail(letter: LetterPaper, carriesInvoices: boolean): MailBody {
  const { lang, sender, buyer, total, pay_by, bank } = letter
  const l = LETTER_TEXTS[lang]
  const facts: [string, string | null][] = [
    [total < 0 ? PAYMENT_TEXTS[lang].balance : l.totalOpen, formatMoneyWithCode(Math.abs(total), 'EUR', lang)],
    [l.payBy, pay_by && formatDate(pay_by, lang)],
    ['IBAN', total > 0 ? bank.iban && shownIban(bank.iban) : null],
  ]
  const attached = carriesInvoices ? `${l.attached} ${l.invoicesAttached}` : l.attached
  return writeBody({
    ...{ lang, seller: sender.name, name: buyer.name },
    subject: `${letterTitle(letter.letter, letter.level, lang)} – ${oneLine(sender.name)}`,
    about: sentences(letter),
    facts: facts.filter((fact): fact is [string, string] => !!fact[1]),
    closing: [attached, [...(letter.letter === 'reminder' ? [l.crossed] : []), MAIL_TEXTS[lang].questions].join(' ')],
  })
}
