/**
 * Shards: schemas that hold whole teams (docs/scaling.md). One is the default, and is `public` itself. Where there are several, each holds
 * the tables of teams, and `public` what all teams share: which team is where (`team.shard`), keys, vendors, sign-in. A chain
 * of calls works in one shard; what is asked outside of any sees `public` alone, so a statement about a team that was not looked up first
 * fails instead of finding nothing.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleepTimer } from 'node:timers/promises'
import { sql, type RawBuilder } from 'kysely'
import { databaseTrouble } from './trouble.ts'

/** The shard of a database with one. */
export const onlyShard = 'public'

/** The name of the shard at a place, where there are several. */
export const shardName = (place: number): string => `les_${place}`

/** Of a schema whether it is one of several shards. */
export const isShardName = (schema: string): boolean => /^les_\d{1,4}$/.test(schema)

/** Where a chain of calls is: in a shard, for a team or none; `asked`: somebody waits for the answer. */
type Place = { readonly shard: string; readonly team?: { readonly id: string; readonly asked: boolean } }

const current = new AsyncLocalStorage<Place>()

/** The shard that this chain of calls works in; `public` outside of any. */
export const currentShard = (): string => current.getStore()?.shard ?? onlyShard

/** The team that this chain of calls works for, where it is known. */
export const currentTeam = (): Place['team'] => current.getStore()?.team

/** SQL: team `t` is in this shard. The table `team` has those of all: what goes over teams from there says so. */
export const isInThisShard = (): RawBuilder<boolean> => sql<boolean>`t.shard = ${currentShard()}`

/**
 * SQL: the team that a row names is in this shard. What goes over rows of all teams says so, because a team that is being moved has
 * copies in a second shard; with one shard it says nothing.
 */
export const isOfTeamHere = (teamId: RawBuilder<unknown>): RawBuilder<boolean> =>
  currentShard() === onlyShard
    ? sql<boolean>`true`
    : sql<boolean>`exists (select 1 from team here where here.id = ${teamId} and here.shard = ${currentShard()})`

/** Runs something, and all that it calls, in a shard. */
export const inShard = <T>(shard: string, work: () => T): T => current.run({ shard }, work)

/** Runs work for a team where it is: its units of work end in vain when the team is moved away meanwhile (`fence.ts`). */
export const workingFor = <T>(teamId: string, work: () => T): T =>
  current.run({ shard: currentShard(), team: { id: teamId, asked: false } }, work)

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

/**
 * A function of which each shard has one of its own, made there when it is first called, for no team and no work in particular: what it
 * keeps of its surroundings must not be those of the caller who came first.
 */
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
  /** Asks all shards at once, for views that are shown without those that do not answer within three seconds: these are `silent`. */
  askEach<T>(
    work: (shard: string) => Promise<T>,
  ): Promise<{ readonly answers: T[]; readonly silent: readonly string[] }>
}

/** Where teams are, as the module that writes them says: asked each time, since a team may be moved. */
export type TeamPlaces = {
  /** The shards of these teams, without those that are unknown. */
  readonly shardsOf: (teamIds: readonly string[]) => Promise<ReadonlyMap<string, string>>
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
  askEach: async (work) => ({ answers: [await work(onlyShard)], silent: [] }),
}

/** How long a view waits for a shard. */
const silentMs = 3_000

/** What was answered; undefined when that takes too long, or fails because of trouble of the database. */
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
