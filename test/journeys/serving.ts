import { readConfig } from '../../packages/server/src/config.ts'
import { dataDirOf, openDatabase } from '../../packages/server/src/start/open-database.ts'
import { serve } from '../../packages/server/src/start/serve.ts'
import type { Asked, Said } from './kept-server.ts'

// The process that `serveKept` starts. It runs one server at a time, started and stopped as in `main.ts`.
const say = (said: Said) => void process.send!(said)

let serving: Awaited<ReturnType<typeof serve>> | undefined

process.on('message', async (asked: Asked) => {
  try {
    if ('serve' in asked) {
      if (serving) throw new Error('It serves another shop: a file of journeys opens one.')
      const config = readConfig(asked.serve)
      const database = await openDatabase(config, () => undefined)
      serving = await serve(config, dataDirOf(config), database, () => undefined)
      say({ address: serving.address })
    } else {
      const ending = serving
      serving = undefined
      say({ stopped: (await ending?.stop()) ?? true })
    }
  } catch (error) {
    say({ problem: error instanceof Error ? `${error.stack}` : String(error) })
  }
})
process.on('disconnect', () => process.exit())
