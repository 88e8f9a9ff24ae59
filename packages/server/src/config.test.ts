import { expect, test } from 'vitest'
import { ConfigError, readConfig, serversOf } from './config.ts'

test('an empty variable is an unset one: never another host, port or level of logging', () => {
  const names = ['PORT', 'HOST', 'LOG_LEVEL', 'DATABASE_URL', 'ADMIN_EMAIL', 'SAMPLE_DATA', 'TRUST_PROXY']
  expect(readConfig(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(readConfig({}))
  expect(readConfig({})).toMatchObject({ port: 3000, host: '127.0.0.1', logLevel: 'warn' })
})

test('a bad value is one line that names its variable', () => {
  const bad = {
    PORT: '70000',
    DATABASE_URL: 'mysql://x',
    PUBLIC_URL: 'shop.test',
    ADMIN_EMAIL: 'admin',
    ADMIN_PASSWORD: 'short',
    SAMPLE_DATA: 'maybe',
    SMTP_URL: 'http://x',
    MAIL_FROM: 'me',
    E_INVOICE_FOLDER: 'connector',
    GRAVATAR: '2',
    VIES: 'perhaps',
    VIES_URL: 'ftp://x',
    LOG_LEVEL: 'loud',
    TRUST_PROXY: 'x',
  }
  for (const [name, value] of Object.entries(bad)) {
    const read = () => readConfig({ [name]: value })
    expect(read, name).toThrow(ConfigError)
    expect(read, name).toThrow(new RegExp(`^${name} [^\\n]+$`))
  }
  const said = (environment: object) => {
    try {
      return readConfig(environment as Record<string, string>)
    } catch (error) {
      return (error as Error).message
    }
  }
  expect(said(bad)).toBe(
    [
      'PORT must be a number from 0 to 65535',
      'DATABASE_URL must be an address that starts with postgres:// or postgresql://',
      'PUBLIC_URL must be an address that starts with http:// or https://',
      'ADMIN_EMAIL must be an email address',
      'ADMIN_PASSWORD must have 8 to 32 characters',
      'SAMPLE_DATA must be 1 or 0',
      'SMTP_URL must be an address that starts with smtp:// or smtps://',
      'MAIL_FROM must be an email address alone, such as sales@shop.example',
      'E_INVOICE_FOLDER must be the absolute path of a folder',
      'GRAVATAR must be 1 or 0',
      'LOG_LEVEL must be fatal, error, warn, info, debug, trace or silent',
      'VIES must be 1 or 0',
      'VIES_URL must be an address that starts with http:// or https://',
      'TRUST_PROXY must be 1 or 0',
    ].join('; '),
  )
  for (const ADMIN_PASSWORD of ['x'.repeat(7), 'x'.repeat(33)]) expect(said({ ADMIN_PASSWORD })).toContain('8 to 32')
  for (const ADMIN_PASSWORD of ['x'.repeat(8), 'x'.repeat(32)])
    expect(said({ ADMIN_PASSWORD })).not.toContain('8 to 32')
  // A bad sender must be refused at the start, not when the first mail is sent.
  expect(() => readConfig({ MAIL_FROM: 'Shop <sales@shop.example>' })).toThrow('MAIL_FROM')
})

test('each variable sets its setting; an unset one has the value of the manual', () => {
  expect(readConfig({})).toEqual({
    ...{ port: 3000, host: '127.0.0.1', dataDir: undefined, databaseUrl: undefined, publicUrl: undefined },
    ...{ adminEmail: undefined, adminPassword: undefined, sampleData: true, smtpUrl: undefined, mailFrom: undefined },
    ...{ eInvoiceFolder: undefined, gravatar: false, vies: false, logLevel: 'warn', trustProxy: false },
    viesUrl: 'https://ec.europa.eu/taxation_customs/vies/rest-api',
  })
  expect(
    readConfig({
      ...{ PORT: '0', HOST: '0.0.0.0', DATA_DIR: '/data/', DATABASE_URL: 'postgres://db/shop' },
      ...{ PUBLIC_URL: 'https://shop.test/', ADMIN_EMAIL: ' ann@shop.test ', ADMIN_PASSWORD: 'password' },
      ...{ SAMPLE_DATA: 'no', SMTP_URL: 'smtp://mail', MAIL_FROM: 'sales@shop.test', E_INVOICE_FOLDER: '/out' },
      ...{ GRAVATAR: '1', VIES: 'true', VIES_URL: 'http://vies.test/api/', LOG_LEVEL: 'info', TRUST_PROXY: 'YES' },
    }),
  ).toEqual({
    ...{ port: 0, host: '0.0.0.0', dataDir: '/data', databaseUrl: 'postgres://db/shop' },
    ...{ publicUrl: 'https://shop.test', adminEmail: 'ann@shop.test', adminPassword: 'password' },
    ...{ sampleData: false, smtpUrl: 'smtp://mail', mailFrom: 'sales@shop.test', eInvoiceFolder: '/out' },
    ...{ gravatar: true, vies: true, viesUrl: 'http://vies.test/api', logLevel: 'info', trustProxy: true },
  })
  const flags = ['1', 'true', 'yes', 'on', '0', 'false', 'no', 'off'].map((VIES) => readConfig({ VIES }).vies)
  expect(flags).toEqual([true, true, true, true, false, false, false, false])
  expect(readConfig({ PORT: '65535' }).port).toBe(65_535)
  for (const LOG_LEVEL of ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    expect(readConfig({ LOG_LEVEL }).logLevel).toBe(LOG_LEVEL)
})

test('DATABASE_URL names one server or several', () => {
  const one = 'postgresql://ada:p,w@db:5432/shop?sslmode=require'
  expect(serversOf(one)).toEqual([one])
  expect(serversOf('postgresql://ada:p,w@one,two:5433,%2Frun%2Fpg/shop?sslmode=require')).toEqual([
    'postgresql://ada:p,w@one/shop?sslmode=require',
    'postgresql://ada:p,w@two:5433/shop?sslmode=require',
    'postgresql://ada:p,w@%2Frun%2Fpg/shop?sslmode=require',
  ])
  const several = 'postgres://one:1,two:2/shop'
  expect(readConfig({ DATABASE_URL: several }).databaseUrl).toBe(several)
  for (const bad of ['postgres://one:port,two/shop', 'one,two'])
    expect(() => readConfig({ DATABASE_URL: bad }), bad).toThrow(ConfigError)
})

test('a password that tears the address of the database apart is refused, and none of it told', () => {
  const torn = ['12/qx@db/shop', '12?qx@db/shop', '12#qx@db/shop', 'a@b/qx@db/shop', '12?a=b&qx@db/shop', 'qx/12@db']
  for (const rest of torn) {
    const read = () => readConfig({ DATABASE_URL: `postgresql://ada:${rest}` })
    expect(read, rest).toThrow(/^DATABASE_URL .* %2F/)
    expect(read, rest).not.toThrow(/qx/)
  }
  for (const whole of ['p@ss@db/shop', 'p:w@db/shop', 'p%2Fw@db/shop', 'secret@db/shop?application_name=a@b'])
    expect(readConfig({ DATABASE_URL: `postgresql://ada:${whole}` }).databaseUrl, whole).toContain(whole)
  expect(serversOf('postgresql://ada:p@x,y@one,two/shop')).toEqual([
    'postgresql://ada:p@x,y@one/shop',
    'postgresql://ada:p@x,y@two/shop',
  ])
})
