import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { INVOICE_LANGUAGES } from '@backstock/contract/invoice-language.ts'
import PostalMime from 'postal-mime'
import { describe, expect, test } from 'vitest'
import { buildMessage, composeInvoiceMail, type MailedSale, type OutgoingMail, writeEml } from './mail.ts'

const sale: MailedSale = {
  id: 12,
  invoice_number: '2026-00042',
  reference_number: 'PO-88123',
  total_items: 30,
  total_sales_price_vat: 455_531,
  company_name: 'Backstock Trading Ltd',
  buyer: { full_name: 'Γιώργος Παπαδόπουλος' },
}

const mail: OutgoingMail = {
  messageId: '<3f1c@backstock.test>',
  from: { name: 'Backstock, Łódź', address: 'sales@backstock.test' },
  to: { name: 'Γιώργος "G" Παπαδόπουλος', address: 'g@example.test' },
  subject: 'Faktura 2026-00042 – Żółć',
  text: '.\nFrom here\n',
  html: '<p>Żółć</p>',
  attachments: [
    { name: 'invoice-2026-00042.pdf', mediaType: 'application/pdf', content: Buffer.from('%PDF-\r\n.\r\n') },
  ],
}

describe('the mail about a sale', () => {
  test('says in every language which invoice it carries and for how much', () => {
    for (const lang of INVOICE_LANGUAGES) {
      const body = composeInvoiceMail(sale, true, lang)
      expect(body.subject).toMatch(/2026-00042.*Backstock Trading Ltd/)
      for (const text of [body.text, body.html]) {
        expect(text).toContain('2026-00042')
        expect(text).toContain('PO-88123')
        expect(text.replace(/\s/g, ' ')).toMatch(/EUR 4[,.]555[,.]31|4[. ]555,31 EUR/)
        expect(text).not.toMatch(/undefined|null|<img|https?:/)
      }
    }
    const order = composeInvoiceMail({ ...sale, reference_number: null }, false)
    expect(order.subject).toBe('Your order 12 with Backstock Trading Ltd')
    expect(order.text).not.toMatch(/invoice/i)
    const uploaded = composeInvoiceMail({ ...sale, invoice_number: null }, true)
    expect(uploaded.text).toContain('This confirms your order 12. Please find our invoice attached.')
  })

  test('shows markup in names as text and keeps its subject on one line', () => {
    const buyer = { full_name: '<img src=x onerror=alert(1)>&"\'' }
    const body = composeInvoiceMail({ ...sale, company_name: 'A\r\nBcc: thief@evil.test', buyer }, true)
    expect(body.subject).toBe('Invoice 2026-00042 from A Bcc: thief@evil.test')
    expect(body.html).toContain('&lt;img src=x onerror=alert(1)&gt;&amp;&quot;&#39;')
    expect(body.html).not.toContain('<img')
  })
})

describe('a message', () => {
  test('reads back as it was written, attachment to the byte, under the Message-ID given', async () => {
    const { raw, envelope, messageId } = await buildMessage(mail)
    expect({ envelope, messageId }).toEqual({
      envelope: { from: 'sales@backstock.test', to: 'g@example.test' },
      messageId: '<3f1c@backstock.test>',
    })
    const read = await PostalMime.parse(raw)
    expect(read).toMatchObject({
      messageId: '<3f1c@backstock.test>',
      from: { name: 'Backstock, Łódź', address: 'sales@backstock.test' },
      to: [{ name: 'Γιώργος "G" Παπαδόπουλος', address: 'g@example.test' }],
      subject: 'Faktura 2026-00042 – Żółć',
    })
    expect(read.text).toContain('From here')
    expect(read.html).toContain('Żółć')
    expect(read.attachments).toHaveLength(1)
    expect(read.attachments[0]).toMatchObject({ filename: 'invoice-2026-00042.pdf', mimeType: 'application/pdf' })
    expect(Buffer.from(read.attachments[0]!.content as ArrayBuffer).toString()).toBe('%PDF-\r\n.\r\n')
  })

  test('goes to its one recipient, whatever stands in names, subject and file name', async () => {
    const injected = 'x\r\nBcc: thief@evil.test\r\n\r\n<thief@evil.test>, thief@evil.test'
    const { raw, envelope } = await buildMessage({
      ...mail,
      messageId: `<1@backstock.test>\r\nBcc: thief@evil.test`,
      from: { ...mail.from, name: injected },
      to: { ...mail.to, name: injected },
      subject: injected,
      attachments: [{ ...mail.attachments[0]!, name: injected }],
    })
    expect(envelope).toEqual({ from: 'sales@backstock.test', to: 'g@example.test' })
    const read = await PostalMime.parse(raw)
    expect(read.to?.map(({ address }) => address)).toEqual(['g@example.test'])
    expect([read.cc ?? [], read.bcc ?? []]).toEqual([[], []])
    expect(read.headers.map(({ key }) => key)).not.toContain('bcc')
    expect(read.html).toContain('Żółć')
  })

  test('without a usable address is refused by name', async () => {
    for (const address of [
      '',
      'nobody',
      'a@b.test, thief@evil.test',
      'a@b.test\r\nRCPT TO:<thief@evil.test>',
      'a b@c.test',
    ])
      await expect(buildMessage({ ...mail, to: { name: 'A', address } })).rejects.toThrow(
        /^The recipient of the email has no valid address/,
      )
    await expect(buildMessage({ ...mail, from: { name: 'A', address: '' } })).rejects.toThrow(
      'The sender of the email has no valid address.',
    )
  })
})

test('an .eml file appears whole under its Message-ID, once, inside the folder', async () => {
  const folder = path.join(await mkdtemp(path.join(tmpdir(), 'backstock-')), 'mail')
  try {
    const file = await writeEml(folder, '<3f1c@backstock.test>', Buffer.from('first'))
    await Promise.all(['second', 'third'].map((raw) => writeEml(folder, '<3f1c@backstock.test>', Buffer.from(raw))))
    expect(await readdir(folder)).toEqual(['3f1c@backstock.test.eml'])
    expect(await readFile(file, 'utf8')).toMatch(/^(second|third)$/)
    const strange = await writeEml(folder, '<../../x/y@backstock.test>', Buffer.from('inside'))
    expect(path.dirname(strange)).toBe(folder)
    await expect(writeEml(file, '<1@backstock.test>', Buffer.from('x'))).rejects.toThrow()
  } finally {
    await rm(path.dirname(folder), { recursive: true })
  }
})

test('nobody else may read mails on disk, nor those that an older version has left', async () => {
  const data = await mkdtemp(path.join(tmpdir(), 'backstock-'))
  const folder = path.join(data, 'mail')
  const modeOf = async (file: string) => ((await stat(file)).mode & 0o777).toString(8)
  try {
    const first = await writeEml(folder, '<1@backstock.test>', Buffer.from('first'))
    expect([await modeOf(folder), await modeOf(first)]).toEqual(['700', '600'])

    const old = path.join(data, 'old')
    await mkdir(old)
    await writeFile(path.join(old, 'old.eml'), 'old')
    await chmod(old, 0o755)
    await chmod(path.join(old, 'old.eml'), 0o644)
    const next = await writeEml(old, '<2@backstock.test>', Buffer.from('next'))
    const modes = [old, path.join(old, 'old.eml'), next].map(modeOf)
    expect(await Promise.all(modes)).toEqual(['700', '600', '600'])
  } finally {
    await rm(data, { recursive: true })
  }
})
