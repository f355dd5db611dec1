/** A pool of connections where there are several shards: each is lent out looking at that of the caller, and none takes all of them. */
import pg from 'pg'
import { onlyShard, currentShard, searchPath } from './shards.ts'

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (error?: Error | boolean) => void,
) => void

/** Who waits for a connection of a shard that has all it may have. */
type Waiting = { readonly begin: () => void; readonly timer: NodeJS.Timeout }

/** Pools smaller than this are lent out whole. */
const smallest = 8

/**
 * A shard that is locked or slow holds the connections of its callers until their time is over; the last quarter of a pool is kept from
 * it, so that the teams of other shards go on.
 */
export class ShardedPool extends pg.Pool {
  readonly #paths = new WeakMap<object, string>()
  readonly #lent = new Map<string, number>()
  readonly #waiting = new Map<string, Waiting[]>()

  get #mostOfOne(): number {
    const { max } = this.options
    return max < smallest ? max : max - Math.ceil(max / 4)
  }

  /** Resolves when the shard may have one more; throws what the pool throws when that takes too long. */
  async #enter(shard: string): Promise<void> {
    const lent = this.#lent.get(shard) ?? 0
    if (shard === onlyShard || lent < this.#mostOfOne) {
      this.#lent.set(shard, lent + 1)
      return
    }
    await new Promise<void>((resolve, reject) => {
      const waiting = this.#waiting.get(shard) ?? []
      this.#waiting.set(shard, waiting)
      const timer = setTimeout(() => {
        waiting.splice(
          waiting.findIndex((one) => one.timer === timer),
          1,
        )
        reject(new Error('timeout exceeded when trying to connect'))
      }, this.options.connectionTimeoutMillis ?? 10_000)
      waiting.push({ begin: resolve, timer })
    })
  }

  #leave(shard: string): void {
    const next = this.#waiting.get(shard)?.shift()
    if (next) {
      clearTimeout(next.timer)
      next.begin()
    } else this.#lent.set(shard, (this.#lent.get(shard) ?? 1) - 1)
  }

  async #lend(shard: string, path: string): Promise<pg.PoolClient> {
    await this.#enter(shard)
    let client: pg.PoolClient
    try {
      client = await super.connect()
    } catch (error) {
      this.#leave(shard)
      throw error
    }
    const giveBack = client.release
    let isBack = false
    client.release = (error) => {
      if (!isBack) this.#leave(shard)
      isBack = true
      giveBack.call(client, error)
    }
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
