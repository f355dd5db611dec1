import pg from 'pg'
import { systemClock } from '../clock.ts'
import { openPlaces } from '../places.ts'
import { onlyShard, currentShard, searchPath } from './shards.ts'

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (error?: Error | boolean) => void,
) => void

/** Smaller pools have no reserve. */
const smallest = 8

const mostOfOne = (max: number): number => (max < smallest ? max : max - Math.ceil(max / 4))

/** Connections use the caller's shard; no shard may hold the last quarter, so a locked or slow one does not stop the others. */
export class ShardedPool extends pg.Pool {
  readonly #paths = new WeakMap<object, string>()
  readonly #places = openPlaces({
    limit: mostOfOne(this.options.max),
    waitMs: this.options.connectionTimeoutMillis ?? 10_000,
    system: systemClock,
    refused: () => new Error('timeout exceeded when trying to connect'),
  })

  async #lend(shard: string, path: string): Promise<pg.PoolClient> {
    // The tables in `public` are outside any shard's limit.
    const client = shard === onlyShard ? await super.connect() : await this.#lendWithPlace(shard)
    if (this.#paths.get(client) === path) return client
    try {
      await client.query(`set search_path = ${path}`)
      this.#paths.set(client, path)
      return client
    } catch (error) {
      client.release(true)
      throw error
    }
  }

  async #lendWithPlace(shard: string): Promise<pg.PoolClient> {
    await this.#places.enter(shard)
    let client: pg.PoolClient
    try {
      client = await super.connect()
    } catch (error) {
      this.#places.leave(shard)
      throw error
    }
    const giveBack = client.release
    let isBack = false
    client.release = (error) => {
      if (!isBack) this.#places.leave(shard)
      isBack = true
      giveBack.call(client, error)
    }
    return client
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    const lent = this.#lend(currentShard(), searchPath())
    if (callback === undefined) return lent
    lent.then(
      (client) => callback(undefined, client, client.release),
      (error: Error) => callback(error, undefined, () => {}),
    )
    return undefined
  }
}
