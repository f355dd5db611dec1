/**
 * A release before the present one and the present one on one database, under load: upgrade, both side by side, the old one started
 * again on the new schema, back, and forward again. `npm run test:long`; `LES_PREVIOUS_RELEASE` names another release.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrationNames } from '../../src/platform/db/migrate.ts'
import { long } from '../world/amount.ts'
import { findDrift } from '../world/oracle.ts'
import { findPrevious, packRelease } from './previous.ts'
import {
  call,
  makeTeam,
  openStage,
  operate,
  pause,
  until,
  type Answer,
  type Process,
  type Stage,
  type Team,
} from './stage.ts'

const previous = long ? findPrevious() : null
const peopleOfAnAuthor = 4

/** What a proxy before the service does: the next process in turn; one that takes no connection is left out, and another is asked. */
type Served = { readonly status: number; readonly phase: string; readonly by: Process; readonly text: string }
type Front = {
  serving: Process[]
  readonly answers: Served[]
  lost: number
}

async function ask(front: Front, phase: string, request: (url: string) => Promise<Answer>): Promise<Answer> {
  for (let attempt = 0; ; attempt++) {
    const by = front.serving[(front.answers.length + attempt) % front.serving.length]!
    try {
      const answer = await request(by.url)
      front.answers.push({
        status: answer.status,
        phase,
        by,
        text: answer.status < 400 ? '' : JSON.stringify(answer.body),
      })
      return answer
    } catch (error) {
      if (!(error instanceof TypeError) || attempt === 400) throw error
      front.lost++
      await pause(25)
    }
  }
}

/** People who are tracked one after the other while others read; each step waits until some more of them have arrived. */
function openLoad(stage: Stage, front: Front, team: Team) {
  let [phase, ended, reads] = ['', false, 0]
  const tracked: string[] = []
  const asks = (method: string, path: string, body?: unknown) => {
    const key: Record<string, string> = method === 'GET' ? {} : { 'idempotency-key': randomUUID() }
    return ask(front, phase, (url) => call(url, team, method, path, body, key))
  }
  const track = async (): Promise<void> => {
    while (!ended) {
      const author = stage.handle('author')
      stage.sandbox.world.seedPost({ author, reactions: peopleOfAnAuthor })
      const held = { operation: 'profile-posts', match: { profilePublicIdentifier: author } }
      stage.sandbox.world.hold(held)
      await asks('POST', '/enrich/profile', { username: author, saveTrackedProfile: true })
      await asks('PUT', `/profile/${author}/webhook`, { webhookUrl: stage.inbox.url, autoSend: true })
      stage.sandbox.world.release(held)
      tracked.push(author)
      await pause(50)
    }
  }
  const read = async (): Promise<void> => {
    while (!ended) {
      for (const path of [
        '/leads?limit=20',
        '/sources',
        '/credits',
        `/profile/${tracked.at(-1) ?? 'nobody'}/sync`,
        '/engagers',
      ])
        if (!path.includes('nobody')) await asks('GET', path)
      reads++
    }
  }
  const leads = async (): Promise<number> =>
    (
      await stage.database.pool.query<{ count: number }>(
        `select count(*)::int as count from lead where enrichment = 'completed'`,
      )
    ).rows[0]!.count
  const running = Promise.all([track(), read(), read()])
  return {
    tracked,
    /** Goes on until ten more people have been tracked, read about, and 20 leads have been enriched, in this phase. */
    step: async (name: string) => {
      phase = name
      const [people, rounds, enriched] = [tracked.length, reads, await leads()]
      await until(
        `load while ${name}`,
        async () =>
          tracked.length >= people + 10 && reads >= rounds + 5 && (await leads()) >= enriched + 20 ? true : undefined,
        50,
        120_000,
      )
    },
    end: async () => {
      ended = true
      await running
    },
  }
}

describe.runIf(previous !== null)('a release from before, packed, and this one', () => {
  let stage: Stage
  let old: string
  beforeAll(async () => {
    old = packRelease(previous!)
    stage = await openStage({ bare: true })
  }, 300_000)
  afterAll(() => stage?.close())

  const migrated = async () =>
    (await stage.database.pool.query<{ name: string }>('select name from kysely_migration order by name')).rows.map(
      ({ name }) => name,
    )
  const stop = async (front: Front, process: Process) => {
    // Out of the proxy's list first; requests under way are finished.
    front.serving = front.serving.filter((one) => one !== process)
    process.child.kill('SIGTERM')
    expect(await process.ended).toBe(0)
  }
  const join = async (front: Front, starting: Promise<Process>): Promise<Process> => {
    const process = await starting
    front.serving = [...front.serving, process]
    return process
  }

  it('serve side by side on the present schema, the old one also after a restart, and back and forward again under ' +
    'load: no request fails, every lead is there once, charged once, delivered once', async () => {
    const first = await stage.start({}, old)
    expect(await migrated()).toEqual(previous!.migrations)
    const team = await makeTeam(first.url, { credits: 100_000 })
    const front: Front = { serving: [first], answers: [], lost: 0 }
    const load = openLoad(stage, front, team)
    await load.step('old alone')

    const second = await join(front, stage.start())
    expect(await migrated()).toEqual([...migrationNames].sort())
    await load.step('both, after the upgrade')

    await stop(front, first)
    const again = await join(front, stage.start({}, old))
    await load.step('both, the old one started again on the new schema')

    await stop(front, again)
    await load.step('new alone')

    const back = await join(front, stage.start({}, old))
    await stop(front, second)
    await load.step('old alone, gone back')

    const forward = await join(front, stage.start())
    await stop(front, back)
    await load.step('new alone, again')
    await load.end()
    // What the old release could not do while tables changed under it was put off, in service time.
    await operate(forward.url, 'POST', '/clock', { advanceSeconds: 600 })

    const all = load.tracked.length * peopleOfAnAuthor
    const count = async (query: string): Promise<number> =>
      (await stage.database.pool.query<{ count: number }>(`select count(*)::int as count from ${query}`)).rows[0]!.count
    await until(
      'the last event',
      async () =>
        (await count(`delivery where event = 'lead.detected' and state = 'sent'`)) >= all ? true : undefined,
      100,
      120_000,
    )

    const refused = front.answers.filter(({ status }) => status >= 300)
    expect([...new Set(refused.map(({ phase, status, text }) => `${phase}: ${status} ${text}`))]).toEqual([])
    for (const phase of ['both, after the upgrade', 'both, the old one started again on the new schema'])
      expect(new Set(front.answers.filter((answer) => answer.phase === phase).map(({ by }) => by)).size, phase).toBe(2)
    expect(await count(`lead`)).toBe(all)
    expect(await count(`lead where enrichment = 'completed' and webhook_status = 'sent'`)).toBe(all)
    expect(await count(`credit_entry where kind = 'charge'`)).toBe(all)
    const detected = stage.inbox.received.filter(({ body }) => body.event === 'lead.detected')
    expect(new Set(detected.map(({ body }) => body.id)).size).toBe(all)
    expect(detected.length).toBe(all)
    expect(await findDrift(stage.database.root)).toEqual([])
    // What the old release says of a migration under it is its own affair; this one has nothing to say.
    for (const { log } of [second, forward])
      expect(log().flatMap(({ level, msg, error }) => (level === 'error' ? [{ msg, error }] : []))).toEqual([])
    process.stdout.write(
      `upgrade from ${previous!.commit.slice(0, 7)} (${previous!.migrations.length} of ${migrationNames.length} migrations): ` +
        `${front.answers.length} requests, ${front.lost} tried again at another process, ` +
        `${load.tracked.length} people tracked, ${all} leads delivered\n`,
    )
    await stop(front, forward)
  }, 600_000)
})
