/** What units of one run share while they write beside each other, and what keeps them within its bounds. */
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { noteSpend } from '../../src/modules/capture/bounds.ts'
import { NotBeside, type Locked } from '../../src/modules/capture/lock.ts'
import { lockSource, lockSources, shareSource, trackSource } from '../../src/modules/sources/index.ts'
import type { Tx } from '../../src/platform/db/unit-of-work.ts'
import type { Network, Page, Post, Reaction } from '../../src/providers/ports.ts'
import { useWorld, type Team } from '../world/world.ts'
import { gate } from './gate.ts'
import { hastyMachine } from './sync-stage.ts'

const notAsked = (): never => {
  throw new Error('not asked for here')
}
const urnOf = (at: number) => `urn:li:activity:${7_000_000_000_000_000_000n + BigInt(at)}`
const perPage = 150

/** A vendor that declares ten likes of each of eight posts, and serves 150 on one page. */
const generous: Network = {
  roleOf: () => 'primary',
  callsAtOnce: () => 100,
  resolveHandle: notAsked,
  profile: notAsked,
  company: notAsked,
  post: notAsked,
  replies: notAsked,
  comments: notAsked,
  searchPosts: notAsked,
  posts: async (): Promise<Page<Post>> => ({
    items: Array.from({ length: 8 }, (_, at) => ({
      urn: urnOf(at),
      url: `https://example.com/${at}`,
      text: 'A post',
      author: { kind: 'person', urn: 'ACoAAauthor', name: 'Author', url: null, headline: null },
      postedAt: '2026-11-20T00:00:00.000Z',
      contentType: null,
      totalReactionCount: 10,
      commentsCount: 0,
      aliases: [],
    })),
    next: null,
    total: 8,
    cutShort: false,
    source: 'primary',
  }),
  reactions: async (post): Promise<Page<Reaction>> => ({
    items: Array.from({ length: perPage }, (_, at): Reaction => {
      const urn = `ACoAA${post.urn.slice(-3)}x${at}`
      const actor = { kind: 'person', urn, name: null, headline: null, handle: null, avatarUrl: null } as const
      return { actor: { ...actor, linkedinUrl: `https://www.linkedin.com/in/${urn}` }, reaction: 'Like' }
    }),
    next: null,
    total: perPage,
    cutShort: false,
    source: 'primary',
  }),
}

const world = useWorld({ config: { roles: ['http'] }, overrides: { system: hastyMachine, network: generous } })
const callerOf = (team: Team) =>
  ({ teamId: team.id, keyId: '', plan: 'growth', status: 'active', captureAllowed: true }) as const

/** Tracks a source whose runs take so many rows at most. */
async function tracked(creditCapPerSync?: number) {
  const team = await world.team({ credits: 5_000 })
  const named = { enrichLeads: false, ...(creditCapPerSync === undefined ? {} : { creditCapPerSync }) }
  const { sourceId } = await world.service.unitOfWork((tx) =>
    trackSource(tx, callerOf(team), { type: 'person', username: world.handle('author'), named, confirmSpend: true }),
  )
  return { team, sourceId }
}

describe('a cap that a vendor passes by serving more than it declares', () => {
  it('is kept to the row, though either unit alone would be within it [SYN-05]', async () => {
    // Eight posts of ten and a large page more are within it; what comes is 1,200, in two units of 600.
    const { team } = await tracked(900)
    while ((await world.service.steps.capture()) === 'worked') {
      // The next page.
    }
    const { rows } = await world.database.pool.query(
      `select lead_rows, stopped_by, (select count(*)::int from lead where team_id = $1) as leads from sync where team_id = $1`,
      [team.id],
    )
    expect(rows).toEqual([{ lead_rows: 900, stopped_by: 'credits', leads: 900 }])
    expect(await team.balance()).toBe(4_100)
  })
})

describe('a source that units of its run share', () => {
  const locking: Record<string, (tx: Tx, teamId: string, id: string) => Promise<unknown>> = {
    'by its id': (tx, teamId, id) => lockSource(tx, teamId, { id }),
    'with others': (tx, teamId, id) => lockSources(tx, teamId, [id]),
    'with very many others': (tx, teamId, id) =>
      lockSources(tx, teamId, [id, ...Array.from({ length: 100 }, () => crypto.randomUUID())]),
  }

  it.each(Object.keys(locking))(
    'keeps who locks it %s waiting for all of them, and none of them for another [TRK-32]',
    async (how) => {
      const { team, sourceId } = await tracked()
      const source = { teamId: team.id, id: sourceId }
      const { pass, reached, open } = gate()
      const share = (meanwhile: () => Promise<void>) =>
        world.service.unitOfWork(async (tx) => {
          await shareSource(tx, source)
          await meanwhile()
          await sql`update source set raw_rows = raw_rows where team_id = ${team.id} and id = ${sourceId}`.execute(
            tx.db,
          )
        })
      const first = share(pass)
      await reached
      await share(async () => {})
      let had = false
      const alone = world.service.unitOfWork((tx) => locking[how]!(tx, team.id, sourceId)).then(() => (had = true))
      await expect
        .poll(async () => {
          const { rows } = await world.database.pool.query(
            `select 1 from pg_locks l join pg_database d on d.oid = l.database
           where l.locktype = 'advisory' and not l.granted and d.datname = current_database()`,
          )
          return rows.length
        })
        .toBe(1)
      expect(had).toBe(false)
      open()
      await Promise.all([first, alone])
    },
  )
})

describe("the day's ceiling of a team whose runs share its account", () => {
  it('takes what fits beside what others have noted, and refuses what would pass it [KRN-14]', async () => {
    const team = await world.team()
    const locked = {
      run: { id: 'run', teamId: team.id, policy: { bounds: [{ of: 'team_day', stop: 'team_cap' }] } },
      team: { keywordDailyCeiling: 10 },
      account: { shared: true },
    } as unknown as Locked
    const note = (credits: number) => world.service.unitOfWork((tx) => noteSpend(tx, locked, credits))
    await note(6)
    await expect(note(5)).rejects.toBeInstanceOf(NotBeside)
    await note(4)
    await expect(note(1)).rejects.toBeInstanceOf(NotBeside)
    const { rows } = await world.database.pool.query('select credits::int from keyword_spend where team_id = $1', [
      team.id,
    ])
    expect(rows).toEqual([{ credits: 10 }])
    // The oracle holds it against charges, of which this test makes none.
    await world.database.pool.query('delete from keyword_spend where team_id = $1', [team.id])
  })
})
