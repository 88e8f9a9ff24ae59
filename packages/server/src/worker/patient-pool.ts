import pg from 'pg'

type GivenClient = Parameters<Parameters<pg.Pool['connect']>[0]>

/**
 * A pool that accepts each connection back only once. If a connection breaks while graphile's runner ends, its listener
 * returns it twice. The second time would be an unhandled rejection, which ends this process.
 */
export class PatientPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>
  override connect(callback: (...given: GivenClient) => void): void
  override connect(callback?: (...given: GivenClient) => void): Promise<pg.PoolClient> | undefined {
    if (!callback) return super.connect()
    super.connect((error, client, release) => {
      // If the pool has ended, there is only an error and no client, although the types say otherwise.
      let isBack = !client
      callback(error, client, (broken) => {
        if (!isBack) release(broken)
        isBack = true
      })
    })
    return undefined
  }
}
