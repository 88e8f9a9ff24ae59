import fc from 'fast-check'
import { beginChance, SEED } from '../packages/server/src/testing/chance.ts'

// Before each file: properties and other draws go by the seed of the run.
fc.configureGlobal({ seed: SEED })
beginChance()
