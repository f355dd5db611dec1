/** A pool of connections where there are several shards: each is lent out looking at that of the caller, and none takes all of them. */
import pg from 'pg'
import { systemClock } from '../clock.ts'
import { openPlaces } from '../places.ts'
import { onlyShard, currentShard, searchPath } from './shards.ts'

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (error?: Error | boolean) => void,
) => void

/** Pools smaller than this are lent out whole. */
const smallest = 8

/** How many connections of a pool one shard may have at once. */
const mostOfOne = (max: number): number => (max < smallest ? max : max - Math.ceil(max / 4))

/**
 * A shard that is locked or slow holds the connections of its callers until their time is over; the last quarter of a pool is kept from
 * it, so that the teams of other shards go on.
 */
export class ShardedPool extends pg.Pool {
  readonly #paths = new WeakMap<object, string>()
  readonly #places = openPlaces({
    limit: mostOfOne(this.options.max),
    waitMs: this.options.connectionTimeoutMillis ?? 10_000,
    system: systemClock,
    refused: () => new Error('timeout exceeded when trying to connect'),
  })

  async #lend(shard: string, path: string): Promise<pg.PoolClient> {
    // What all shards share is outside of them.
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

  /** Lends a connection that takes one of the places of a shard until it is released. */
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
