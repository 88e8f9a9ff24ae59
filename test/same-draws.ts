import fc from 'fast-check'
import { beginChance, SEED } from '../packages/server/src/testing/chance.ts'

// A setup before each test file: all random draws follow the seed of the run.
fc.configureGlobal({ seed: SEED })
beginChance()
