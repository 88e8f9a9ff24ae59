/** Work that is done apart from the server took longer than it may; whoever did it was ended with it. */
export class WorkTimeout extends Error {
  constructor(ms: number) {
    super(`It took longer than ${ms / 1000} seconds.`)
  }
}

export type Limits = { timeoutMs: number; memoryMb: number }
export type Answer<Output> = { output: Output } | { error: string }
