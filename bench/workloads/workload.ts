import type { Bench } from '../bench.ts'
import type { Operation } from '../load-client.ts'
import { compare, type Side, type Turns } from '../measure.ts'
import { comparedRow, type Row } from '../row.ts'
import { expectSameAnswers } from '../same-answer.ts'

/** Work that people in a shop wait for. */
export type Workload = {
  id: string
  /** With `clients` 1 the rate with 16 clients is left out, if the workload measures one. */
  measure(bench: Bench, clients?: 1 | 16): Promise<Row[]>
  /** The server's operations for one turn, if the workload consists of requests. */
  operations?(bench: Bench, side: Side, n: number): Operation[]
}

export type RequestWorkload = {
  id: string
  title: string
  asked?: { ratio: number; share: number }
  /** The operations for one turn. Server and limits get the same ones in the same order. */
  operations(bench: Bench, side: Side, n: number): Operation[]
  /** The operations write. Then answers are not compared, because each side gives a new record another id and time. */
  writes?: boolean
  scarce?: boolean
  /** Call it before a turn. It returns a function that repairs the data after the turn. */
  settle?(bench: Bench): Promise<() => Promise<unknown>>
}

/** Makes a workload of requests. A limit that gives the same answers is measured beside it. */
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
