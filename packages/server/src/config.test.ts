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
  // A bad sender must be refused at the start, not when the first mail is sent.
  expect(() => readConfig({ MAIL_FROM: 'Shop <sales@shop.example>' })).toThrow('MAIL_FROM')
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
