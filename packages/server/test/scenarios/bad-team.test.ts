/** A team whose work always fails delays nobody else; its work ends with an error, is paid once, and can be retried. */
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { moduleTasks, type ModuleTask } from '../../src/composition/tasks.ts'
import { jobKinds } from '../../src/job-catalog.ts'
import { holds } from '../../src/platform/db/conditions.ts'
import { useWorld, type Team } from '../world/world.ts'
import { search, topic } from './keyword-run-stage.ts'
import { ok } from './outreach-stage.ts'
import { workScenes } from './work-scenes.ts'
import { likes, resweep, sourceOf, statusOf, sweep, track } from './sync-stage.ts'

// Without workers: the drain does all work.
const world = useWorld({ config: { roles: ['http'] } })
vi.setConfig({ testTimeout: 300_000 })

const { scenes, sql, poison, heal, failing, prepare, clear } = workScenes(world)
beforeAll(prepare)
afterEach(clear)

/** Two teams of one shard: only those could delay each other. */
async function pairOf(make: () => Promise<Team> = () => world.team()): Promise<[bad: Team, good: Team]> {
  const bad = await make()
  for (;;) {
    const good = await make()
    if ((await world.shardOf(good)) === (await world.shardOf(bad))) return [bad, good]
  }
}

describe('teams whose work always fails unexpectedly', () => {
  it('keep no other team from being served with work of any kind; their own is put off, ends told, and is done on a new try [SYN-01, WHK-17, JOB-01]', async () => {
    const begun = []
    for (const kind of jobKinds) {
      const scene = scenes[kind]
      const [bad, good] = await pairOf(scene.make)
      await scene.poison(bad)
      begun.push({ kind, scene, bad, poisoned: await scene.begin(bad), sound: await scene.begin(good) })
    }
    expect(await world.drain()).not.toHaveProperty('busy')
    for (const { kind, poisoned, sound } of begun)
      expect([kind, await sound.done(), await poisoned.done()]).toEqual([kind, true, false])
    for (const wait of ['1m', '5m', '30m', '2h', '2h']) await world.advance(wait)
    const metrics = await world.service.metrics.text()
    for (const { kind, bad, poisoned } of begun) {
      expect([kind, await poisoned.failed()]).toMatchObject([kind, poisoned.expected])
      expect(metrics).toMatch(new RegExp(`les_unexpected_failures_total\\{kind="${kind}"\\} [1-9]`))
      expect((await sql('select 1 from kept_answer where team_id = $1', [bad.id])).rows).toEqual([])
    }
    for (const { kind, scene, bad, poisoned } of begun) {
      await (scene.heal ?? heal)(bad)
      await poisoned.again()
      await world.drain()
      expect([kind, await poisoned.done()]).toEqual([kind, true])
    }
  })
})

describe('a failure', () => {
  const countsOf = async (team: Team, table: string, column: string): Promise<Record<string, number>> => {
    const { rows } = await sql(
      `select ${column} as state, count(*)::integer as count from ${table} where team_id = $1 group by 1`,
      [team.id],
    )
    return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
  }

  it('of the claim itself is recorded, and the team has had its turn: the work of another begins before its next [SYN-01, SYN-02]', async () => {
    const [bad, good] = [await world.team(), await world.team()]
    await failing('update', 'sync', `old.state = 'queued' and new.state = 'capturing'`)
    await poison(bad)
    const authors = Array.from({ length: 4 }, () => world.handle('author'))
    for (const author of authors) world.network.seedPost({ author, reactions: likes([world.handle()]), comments: [] })
    for (const author of authors.slice(0, 3)) await track(bad, author, { enrichLeads: false })
    await track(good, authors[3]!, { enrichLeads: false })
    for (let step = 0; step < 2; step++) await world.service.steps.capture()
    expect((await statusOf(good, authors[3]!)).state).toBe('capturing')
    await world.drain()
    expect((await statusOf(good, authors[3]!)).capture.leadRowsCaptured).toBe(1)
    for (const wait of ['1m', '5m', '30m', '2h']) await world.advance(wait)
    for (const author of authors.slice(0, 3))
      expect(await statusOf(bad, author)).toMatchObject({ state: 'failed', errorCode: 'internal_error' })
    await heal(bad)
    expect(await resweep(world, bad, authors[0]!)).toMatchObject({ capture: { leadRowsCaptured: 1 } })
  })

  it('that keeps work even from being ended leaves it waiting, asks the vendor once, and is made up for later [SYN-09]', async () => {
    const team = await world.team()
    await failing('update', 'lead')
    const [author, fan] = [world.handle('author'), world.handle('fan')]
    world.network.seedPost({ author, reactions: likes([fan]), comments: [] })
    await poison(team)
    await track(team, author)
    await world.drain()
    for (let hours = 0; hours < 12; hours++) await world.advance('1h')
    const profiles = () =>
      world.network
        .calls({ operation: 'profile' })
        .filter((call) => call.query.profileId === world.network.person(fan)!.id).length
    expect([await countsOf(team, 'lead', 'enrichment'), profiles()]).toEqual([{ pending: 1 }, 1])
    await heal(team)
    await world.advance('2h')
    expect([await countsOf(team, 'lead', 'enrichment'), profiles()]).toEqual([{ completed: 1 }, 1])
  })

  it('to write what was found out about one person puts that one off alone; the others are enriched once [SYN-09, ENR-10]', async () => {
    const team = await world.team()
    const [author, ...people] = Array.from({ length: 4 }, () => world.handle('fan'))
    world.network.seedPost({ author: author!, reactions: likes(people), comments: [] })
    const urn = world.network.person(people[1]!)!.id
    await sql(
      `create trigger one_person before update on ${await world.shardOf(team)}.lead
       for each row when (new.person_urn = '${urn}' and new.enrichment = 'completed')
       execute function poison.fail()`,
    )
    await poison(team)
    await track(team, author!)
    await world.drain()
    const states = () => countsOf(team, 'lead', 'enrichment')
    const profiles = () =>
      world.network
        .calls({ operation: 'profile' })
        .filter((call) => people.some((one) => call.query.profileId === world.network.person(one)!.id)).length
    expect([await states(), profiles()]).toEqual([{ completed: 2, pending: 1 }, 3])
    await sql(`drop trigger one_person on ${await world.shardOf(team)}.lead`)
    await world.advance('1m')
    expect([await states(), profiles()]).toEqual([{ completed: 3 }, 3])
  })

  it('to write or record one delivery parks that one alone; what was accepted beside it is not sent again [WHK-16, WHK-17]', async () => {
    const team = await world.team()
    const inbox = await world.inbox()
    const author = world.handle('author')
    world.network.seedPost({ author, reactions: likes(Array.from({ length: 10 }, () => world.handle())), comments: [] })
    await sweep(world, team, author)
    await ok(team.put(`/profile/${author}/webhook`, { webhookUrl: inbox.url }))
    const ids = (await sql('select id from lead where team_id = $1 order by id', [team.id])).rows.map(
      (row) => row.id as string,
    )
    await ok(team.post(`/profile/${author}/push`, {}))
    // The first delivery fails because its lead is missing, the second because its result cannot be written.
    await sql('update delivery set lead_id = gen_random_uuid() where lead_id = $1', [ids[0]])
    await sql(
      `create trigger one_lead before update on ${await world.shardOf(team)}.delivery
       for each row when (new.lead_id = '${ids[1]}' and new.state = 'sent')
       execute function poison.fail()`,
    )
    await poison(team)
    await world.drain()
    const states = () => countsOf(team, 'delivery', 'state')
    expect(await states()).toEqual({ pending: 2, sent: 8 })
    expect(inbox.received).toHaveLength(9)
    for (const wait of ['1m', '5m', '30m', '2h', '2h']) await world.advance(wait)
    expect(await states()).toEqual({ held: 2, sent: 8 })
    expect(new Set(inbox.received.map(({ body }) => body.id)).size).toBe(9)
    await sql(`drop trigger one_lead on ${await world.shardOf(team)}.delivery`)
    await sql('update delivery set lead_id = $2 where team_id = $1 and subject = $3', [team.id, ids[0], ids[0]])
    await ok(team.put(`/profile/${author}/webhook`, { webhookUrl: inbox.url }))
    await world.drain()
    expect(await states()).toEqual({ sent: 10 })
    expect(new Set(inbox.received.map(({ body }) => body.lead.id))).toEqual(new Set(ids))
  })

  it('to renew the period of one team renews that of the teams behind it [CRD-02]', async () => {
    const [bad, good] = [await world.team({ credits: 10 }), await world.team({ credits: 10 })]
    await failing('insert', 'credit_entry')
    await poison(bad)
    const endOf = async (team: Team) =>
      (await sql('select period_end from credit_account where team_id = $1', [team.id])).rows[0].period_end as Date
    const [before, badBefore] = [await endOf(good), await endOf(bad)]
    await world.advance('31d')
    expect((await endOf(good)).getTime()).toBeGreaterThan(before.getTime())
    expect(await endOf(bad)).toEqual(badBefore)
    await heal(bad)
    await world.advance('2h')
    expect((await endOf(bad)).getTime()).toBeGreaterThan(badBefore.getTime())
  })
})

/** Work of the clock for a team: how it becomes due, and whether it was done. */
type ClockScene = {
  readonly task: keyof typeof moduleTasks
  readonly table: string
  readonly event: string
  readonly when?: string
  readonly begin: (
    team: Team,
  ) => Promise<{ readonly due: () => Promise<unknown>; readonly done: () => Promise<boolean> }>
}
const one = async (text: string, values: unknown[]) => (await sql(text, values)).rows[0]
const tracked = async (team: Team) => {
  const author = world.handle('author')
  world.network.seedPost({ author, reactions: likes([world.handle()]), comments: [] })
  await sweep(world, team, author)
  return sourceOf(team, author)
}

const pushed = async (team: Team): Promise<string> => {
  const inbox = await world.inbox()
  const { id } = await tracked(team)
  await ok(team.put(`/sources/${id}/webhook`, { webhookUrl: inbox.url }))
  await ok(team.post(`/sources/${id}/push`, {}))
  await world.drain()
  return id
}

const clockScenes: Readonly<Record<string, ClockScene>> = {
  'opens due syncs': {
    task: 'open due syncs',
    table: 'sync',
    event: 'insert',
    begin: async (team) => {
      const { id } = await tracked(team)
      const runs = async () => (await one('select count(*)::integer as runs from sync where source_id = $1', [id])).runs
      return {
        due: () => sql('update source set next_sync_at = $2 where id = $1', [id, new Date(0)]),
        done: async () => (await runs()) === 2,
      }
    },
  },
  'stops searches whose end has passed': {
    task: 'stop searches whose end has passed',
    table: 'source',
    event: 'update',
    when: 'new.stopped_at is not null',
    begin: async (team) => {
      const { id } = await search(team, { expression: topic(world) })
      await world.drain()
      return {
        due: () => sql('update source set end_at = $2 where id = $1', [id, new Date(0)]),
        done: async () => (await one('select stopped_at from source where id = $1', [id])).stopped_at !== null,
      }
    },
  },
  'writes off enrichment of untracked sources': {
    task: 'write off enrichment of untracked sources',
    table: 'lead',
    event: 'update',
    when: `new.enrichment = 'skipped'`,
    begin: async (team) => {
      const { id } = await tracked(team)
      return {
        due: async () => {
          await sql(
            `update source
             set status = 'inactive', untracked_at = $2, next_sync_at = null, has_write_off = true,
               leads_pending = leads_pending + leads_completed, leads_completed = 0
             where id = $1`,
            [id, await world.now()],
          )
          await sql(`update lead set enrichment = 'pending' where source_id = $1`, [id])
        },
        done: async () =>
          (await one('select enrichment from lead where source_id = $1', [id])).enrichment === 'skipped',
      }
    },
  },
  'releases expired credit holds': {
    task: 'release expired credit holds',
    table: 'credit_hold',
    event: 'delete',
    begin: async (team) => ({
      due: async () => {
        await sql(`update credit_account set held = held + 5 where team_id = $1 and account = 'team'`, [team.id])
        await sql(
          `insert into credit_hold (team_id, id, account, amount, expires_at) values ($1, gen_random_uuid(), 'team', 5, $2)`,
          [team.id, new Date(0)],
        )
      },
      done: async () =>
        (await one(`select held from credit_account where team_id = $1 and account = 'team'`, [team.id])).held === 0,
    }),
  },
  'gives up what is held for untracked sources': {
    task: 'settle deliveries still held although their reason is over',
    table: 'delivery',
    event: 'update',
    when: `new.state = 'failed'`,
    begin: async (team) => {
      const id = await pushed(team)
      return {
        due: async () => {
          await sql(`update delivery set state = 'held', finished_at = null where owner_id = $1`, [id])
          await sql(`update source set status = 'inactive', untracked_at = $2, next_sync_at = null where id = $1`, [
            id,
            await world.now(),
          ])
        },
        done: async () => (await one('select state from delivery where owner_id = $1', [id])).state === 'failed',
      }
    },
  },
  'lets go what is held for endpoints that are tried again': {
    task: 'settle deliveries still held although their reason is over',
    table: 'delivery',
    event: 'update',
    when: `new.state = 'pending'`,
    begin: async (team) => {
      const id = await pushed(team)
      return {
        due: () => sql(`update delivery set state = 'held', finished_at = null where owner_id = $1`, [id]),
        done: async () => (await one('select state from delivery where owner_id = $1', [id])).state === 'sent',
      }
    },
  },
}

it('teams for which the clock always fails keep no other team from its turn; they are tried again later and done when mended [SYN-01, WHK-17]', async () => {
  const beginScene = async ([name, { task, table, event, when, begin }]: [string, ClockScene]) => {
    const [bad, good] = await pairOf()
    return {
      name,
      bad,
      what: await failing(event, table, when),
      poisoned: await begin(bad),
      sound: await begin(good),
      // The query that decides whether the task runs.
      mayBeDue: async () =>
        world.inShardOf(bad, async () =>
          holds(world.service.database.bare, (moduleTasks[task] as ModuleTask).mayBeDue!(await world.now())),
        ),
      failures: async () => (await one('select failures from task_put_off where team_id = $1', [bad.id]))?.failures,
    }
  }
  const begun: Awaited<ReturnType<typeof beginScene>>[] = []
  for (const scene of Object.entries(clockScenes)) begun.push(await beginScene(scene))
  for (const { bad, what, poisoned, sound } of begun) {
    await poison(bad, what)
    await poisoned.due()
    await sound.due()
  }
  const states = async () =>
    Promise.all(begun.map(async ({ name, poisoned, failures }) => [name, await poisoned.done(), await failures()]))
  const all = (...state: unknown[]) => begun.map(({ name }) => [name, ...state])
  for (const { name, mayBeDue } of begun) expect([name, await mayBeDue()]).toEqual([name, true])
  expect(await world.drain()).not.toHaveProperty('busy')
  for (const { name, sound } of begun) expect([name, await sound.done()]).toEqual([name, true])
  expect(await states()).toEqual(all(false, 1))
  // The teams are put off, so a second run at the same instant skips them.
  await world.drain()
  expect(await states()).toEqual(all(false, 1))
  for (const wait of ['1m', '5m', '30m']) await world.advance(wait)
  expect(await states()).toEqual(all(false, 4))
  for (const { bad } of begun) await heal(bad)
  await world.advance('2h')
  expect(await states()).toEqual(all(true, undefined))
  for (const { name, mayBeDue } of begun) expect([name, await mayBeDue()]).toEqual([name, false])
})
