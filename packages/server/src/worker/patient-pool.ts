import pg from 'pg'

type GivenClient = Parameters<Parameters<pg.Pool['connect']>[0]>

/**
 * Takes a connection back once. If a connection breaks while graphile's runner ends, its listener gives the
 * connection back twice, and the second time would be an unhandled rejection: the end of this process.
 */
export class PatientPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>
  override connect(callback: (...given: GivenClient) => void): void
  override connect(callback?: (...given: GivenClient) => void): Promise<pg.PoolClient> | undefined {
    if (!callback) return super.connect()
    super.connect((error, client, release) => {
      // A pool that has ended calls with the error alone, whatever the types say.
      let isBack = !client
      callback(error, client, (broken) => {
        if (!isBack) release(broken)
        isBack = true
      })
    })
    return undefined
  }
}
