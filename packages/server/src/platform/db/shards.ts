/**
 * Shards: schemas that hold whole teams (docs/scaling.md). By default there is one, `public`. With several, each has the tables
 * of teams, and `public` what teams share: `team.shard`, keys, vendors, sign-in. A chain of calls works in one shard; outside of
 * any it sees `public` only, so that a statement for a team that was not looked up first fails instead of finding nothing.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleepTimer } from 'node:timers/promises'
import { sql, type RawBuilder } from 'kysely'
import { databaseTrouble } from './trouble.ts'

export const onlyShard = 'public'

/** The name of a shard, where there are several. */
export const shardName = (place: number): string => `les_${place}`

/** Whether a schema is one of several shards. */
export const isShardName = (schema: string): boolean => /^les_\d{1,4}$/.test(schema)

/** `asked`: a caller waits for the answer. */
type Place = { readonly shard: string; readonly team?: { readonly id: string; readonly asked: boolean } }

const current = new AsyncLocalStorage<Place>()

/** The shard of this chain of calls; `public` outside of any. */
export const currentShard = (): string => current.getStore()?.shard ?? onlyShard

/** The team of this chain of calls, where known. */
export const currentTeam = (): Place['team'] => current.getStore()?.team

/** SQL: team `t` is in this shard. Needed because `team` has the teams of all shards. */
export const isInThisShard = (): RawBuilder<boolean> => sql<boolean>`t.shard = ${currentShard()}`

/** SQL: the row's team is in this shard. Statements over all teams need it: a team being moved has copies in a second shard. */
export const isOfTeamHere = (teamId: RawBuilder<unknown>): RawBuilder<boolean> =>
  currentShard() === onlyShard
    ? sql<boolean>`true`
    : sql<boolean>`exists (select 1 from team here where here.id = ${teamId} and here.shard = ${currentShard()})`

/** Runs `work` in a shard. */
export const inShard = <T>(shard: string, work: () => T): T => current.run({ shard }, work)

/** Runs background work for a team: its units of work fail when the team is moved away (`fence.ts`). */
export const workingFor = <T>(teamId: string, work: () => T): T =>
  current.run({ shard: currentShard(), team: { id: teamId, asked: false } }, work)

/** Reads a stream in the current shard, wherever its items are requested: it outlives the chain of calls that opened it. */
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

/** One function per shard, made on its first call there, and in the async context of `oneEachShard`, not of that caller. */
export function oneEachShard<Args extends unknown[], Answer>(
  make: () => (...args: Args) => Answer,
): (...args: Args) => Answer {
  const made = new Map<string, (...args: Args) => Answer>()
  const forNobody = AsyncLocalStorage.snapshot()
  return (...args) => {
    const shard = currentShard()
    const its = made.get(shard) ?? forNobody(() => inShard(shard, make))
    made.set(shard, its)
    return its(...args)
  }
}

/** The `search_path`, as SQL. */
export const searchPath = (): string => (currentShard() === onlyShard ? onlyShard : `${currentShard()}, ${onlyShard}`)

export type Shards = {
  readonly names: readonly string[]
  /** Runs in the team's shard; in `public` for an unknown team. */
  ofTeam<T>(teamId: string, work: () => Promise<T>): Promise<T>
  /** Runs work that may create a team, in the emptiest shard. */
  ofNewTeam<T>(work: () => Promise<T>): Promise<T>
  /** Runs once per shard with its teams; returns all answers. */
  byTeams<T>(teamIds: readonly string[], work: (teamIds: readonly string[]) => Promise<T>): Promise<T[]>
  /** Asks one shard after another until one answers. */
  find<T>(work: () => Promise<T | undefined>): Promise<T | undefined>
  /** Runs in one shard after another. */
  each<T>(work: (shard: string) => Promise<T>): Promise<T[]>
  /** Asks all shards at once, for views; `silent` are those that take over three seconds or are unreachable. */
  askEach<T>(
    work: (shard: string) => Promise<T>,
  ): Promise<{ readonly answers: T[]; readonly silent: readonly string[] }>
}

/** Where teams are; asked each time, since a team may be moved. */
type TeamPlaces = {
  readonly shardsOf: (teamIds: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** The shard with the fewest teams. */
  readonly emptiest: (shards: readonly string[]) => Promise<string>
}

/** The shards of a database with one: all work runs where it is. */
export const oneShard: Shards = {
  names: [onlyShard],
  ofTeam: (_teamId, work) => work(),
  ofNewTeam: (work) => work(),
  byTeams: async (teamIds, work) => [await work(teamIds)],
  find: (work) => work(),
  each: async (work) => [await work(onlyShard)],
  askEach: async (work) => ({ answers: [await work(onlyShard)], silent: [] }),
}

const silentMs = 3_000

/** Undefined when the answer takes too long, or the database is in trouble. */
async function orSilent<T>(asked: Promise<T>): Promise<{ readonly answer: T } | undefined> {
  const over = new AbortController()
  const answered = asked.then(
    (answer) => ({ answer }),
    (error: unknown) => {
      if (databaseTrouble(error) === null) throw error
      return undefined
    },
  )
  const late = sleepTimer(silentMs, undefined, { signal: over.signal }).catch(() => undefined)
  return Promise.race([answered, late]).finally(() => over.abort())
}

/** Opens the shards `names`. */
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
  return {
    names,
    ofTeam: async (teamId, work) => {
      const shard = (await places.shardsOf([teamId])).get(teamId)
      return shard === undefined
        ? inShard(onlyShard, work)
        : current.run({ shard, team: { id: teamId, asked: true } }, work)
    },
    ofNewTeam: async (work) => inShard(await places.emptiest(names), work),
    byTeams: async (teamIds, work) => {
      const placed = Map.groupBy(await places.shardsOf(teamIds), ([, shard]) => shard)
      const answers = []
      for (const [shard, its] of placed) answers.push(await inShard(shard, () => work(its.map(([id]) => id))))
      return answers
    },
    find,
    each,
    askEach: async (work) => {
      const asked = await Promise.all(
        names.map(async (shard) => ({ shard, said: await orSilent(inShard(shard, () => work(shard))) })),
      )
      return {
        answers: asked.flatMap(({ said }) => (said === undefined ? [] : [said.answer])),
        silent: asked.filter(({ said }) => said === undefined).map(({ shard }) => shard),
      }
    },
  }
}
