// Loaded before a server. Each SIGUSR2 sets the server's clock to the next of CLOCKS, and a line of output says when it
// is done. A clock is the difference to the true time in ms, or a time such as 2027-03-28T00:59:59Z.
const clocks = (process.env['CLOCKS'] ?? '').split(',')
const TrueDate = Date
let shift = 0
const now = () => TrueDate.now() + shift

globalThis.Date = new Proxy(TrueDate, {
  construct: (target, given, made) => Reflect.construct(target, given.length ? given : [now()], made),
  apply: () => new TrueDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})

process.on('SIGUSR2', () => {
  const next = clocks.shift() ?? '0'
  shift = /^-?\d+$/.test(next) ? Number(next) : TrueDate.parse(next) - TrueDate.now()
  process.stdout.write(`The clock is at ${next}\n`)
})
