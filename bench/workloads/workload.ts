import type { Bench } from '../bench.ts'
import type { Operation } from '../load-client.ts'
import { compare, type Side, type Turns } from '../measure.ts'
import { comparedRow, type Row } from '../row.ts'
import { expectSameAnswers } from '../same-answer.ts'

/** Something that a shop waits for. */
export type Workload = {
  id: string
  /** `clients` 1 leaves out how many requests a second are held, if the workload can tell the two apart. */
  measure(bench: Bench, clients?: 1 | 16): Promise<Row[]>
  /** One turn's operations of the server, if it is one of many requests. */
  operations?(bench: Bench, side: Side, n: number): Operation[]
}

export type RequestWorkload = {
  id: string
  title: string
  asked?: { ratio: number; share: number }
  /** The same ones on both sides, in the same order. */
  operations(bench: Bench, side: Side, n: number): Operation[]
  /** Writes cannot be compared: each side gives it an id and a time of its own. */
  writes?: boolean
  scarce?: boolean
  /** Prepares putting things right after a turn. */
  settle?(bench: Bench): Promise<() => Promise<unknown>>
}

/** A workload of requests, measured against a limit that answers the same. */
export function requests(workload: RequestWorkload): Workload {
  const { id, title, asked, operations, writes, scarce } = workload
  return {
    id,
    operations,
    async measure(bench, clients) {
      if (!writes) await expectSameAnswers(bench, operations(bench, 'limit', 1)[0]!, operations(bench, 'server', 1)[0]!)
      const settle = await workload.settle?.(bench)
      const turns: Turns = {
        operations: (side, n) => operations(bench, side, n),
        ...(scarce && { scarce }),
        ...(settle && { settle }),
      }
      return [comparedRow(id, title, await compare(bench.load, bench.sides, turns, clients), asked)]
    },
  }
}
