/**
 * Shards: schemas that hold whole teams (docs/scaling.md). One is the default, and is `public` itself. Where there are several, each holds
 * the tables of teams, and `public` what all teams share: which team is where (`team.shard`), keys, vendors, sign-in. A chain
 * of calls works in one shard; what is asked outside of any sees `public` alone, so a statement about a team that was not looked up first
 * fails instead of finding nothing.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { sql, type RawBuilder } from 'kysely'

/** The shard of a database with one. */
export const onlyShard = 'public'

/** The name of the shard at a place, where there are several. */
export const shardName = (place: number): string => `les_${place}`

/** Of a schema whether it is one of several shards. */
export const isShardName = (schema: string): boolean => /^les_\d{1,4}$/.test(schema)

const current = new AsyncLocalStorage<string>()

/** The shard that this chain of calls works in; `public` outside of any. */
export const currentShard = (): string => current.getStore() ?? onlyShard

/** SQL: team `t` is in this shard. The table `team` has those of all: what goes over teams from there says so. */
export const isInThisShard = (): RawBuilder<boolean> => sql<boolean>`t.shard = ${currentShard()}`

/** Runs something, and all that it calls, in a shard. */
export const inShard = <T>(shard: string, work: () => T): T => current.run(shard, work)

/** Reads on in the shard of now, no matter who asks for the next one: streams go on in chains of calls of their own. */
export const readingHere = <T>(items: AsyncIterable<T>): AsyncGenerator<T> => readingIn(currentShard(), items)

async function* readingIn<T>(shard: string, items: AsyncIterable<T>): AsyncGenerator<T> {
  const reading = items[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await inShard(shard, () => reading.next())
      if (next.done) return
      yield next.value
    }
  } finally {
    await reading.return?.()
  }
}

/** A function of which each shard has one of its own, made there when it is first called. */
export function oneEachShard<Args extends unknown[], Answer>(
  make: () => (...args: Args) => Answer,
): (...args: Args) => Answer {
  const made = new Map<string, (...args: Args) => Answer>()
  return (...args) => {
    const shard = currentShard()
    const its = made.get(shard) ?? make()
    made.set(shard, its)
    return its(...args)
  }
}

/** Where tables are looked up, as SQL. */
export const searchPath = (): string => (currentShard() === onlyShard ? onlyShard : `${currentShard()}, ${onlyShard}`)

/** Where teams are, and how to get there. */
export type Shards = {
  /** All of them; at least one. */
  readonly names: readonly string[]
  /** Runs something in the shard of a team; outside of any for a team that is unknown. */
  ofTeam<T>(teamId: string, work: () => Promise<T>): Promise<T>
  /** Runs something that may open a team, in the shard with the fewest. */
  ofNewTeam<T>(work: () => Promise<T>): Promise<T>
  /** Runs something in the shards of some teams, with the teams of each; answers what each answered. */
  byTeams<T>(teamIds: readonly string[], work: (teamIds: readonly string[]) => Promise<T>): Promise<T[]>
  /** Runs something in one shard after the other until one answers; undefined when none does. */
  find<T>(work: () => Promise<T | undefined>): Promise<T | undefined>
  /** Runs something in each shard, one after the other; answers what each answered. */
  each<T>(work: (shard: string) => Promise<T>): Promise<T[]>
}

/** How many teams' places are remembered; beyond it, remembering begins anew. */
const maxRemembered = 100_000

/** Where teams are, as the module that writes them says. */
export type TeamPlaces = {
  /** Undefined for a team that is unknown. */
  readonly shardOf: (teamId: string) => Promise<string | undefined>
  /** The one of these shards with the fewest teams. */
  readonly emptiest: (shards: readonly string[]) => Promise<string>
}

/** Those of a database with one: whatever is asked runs where it is. */
export const oneShard: Shards = {
  names: [onlyShard],
  ofTeam: (_teamId, work) => work(),
  ofNewTeam: (work) => work(),
  byTeams: async (teamIds, work) => [await work(teamIds)],
  find: (work) => work(),
  each: async (work) => [await work(onlyShard)],
}

/** Opens them. */
export function openShards(names: readonly string[], places: TeamPlaces): Shards {
  if (names.length === 1) return oneShard
  const each: Shards['each'] = async (work) => {
    const answers = []
    for (const shard of names) answers.push(await inShard(shard, () => work(shard)))
    return answers
  }
  const find: Shards['find'] = async (work) => {
    for (const shard of names) {
      const found = await inShard(shard, work)
      if (found !== undefined) return found
    }
    return undefined
  }
  const known = new Map<string, string>()
  const shardOf = async (teamId: string): Promise<string | undefined> => {
    const remembered = known.get(teamId)
    if (remembered !== undefined) return remembered
    const shard = await places.shardOf(teamId)
    if (known.size >= maxRemembered) known.clear()
    if (shard !== undefined) known.set(teamId, shard)
    return shard
  }
  return {
    names,
    ofTeam: async (teamId, work) => inShard((await shardOf(teamId)) ?? onlyShard, work),
    ofNewTeam: async (work) => inShard(await places.emptiest(names), work),
    byTeams: async (teamIds, work) => {
      const placed = await Promise.all(teamIds.map(async (id) => ({ id, shard: await shardOf(id) })))
      const answers = []
      for (const [shard, its] of Map.groupBy(placed, (one) => one.shard))
        if (shard !== undefined) answers.push(await inShard(shard, () => work(its.map(({ id }) => id))))
      return answers
    },
    find,
    each,
  }
}
