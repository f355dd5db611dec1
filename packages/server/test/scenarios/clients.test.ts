/** The typed client and the command line against the real service. */
import { randomUUID } from 'node:crypto'
import { run, type Io } from '@les/cli'
import { ApiError } from '@les/contract'
import { describe, expect, it } from 'vitest'
import { leadsOf, silent, sourceOf, sourcesOf } from '../world/tracking.ts'
import { useWorld, type Team } from '../world/world.ts'

const world = useWorld({ config: { roles: ['http'] } })

type Outcome = { readonly code: number; readonly stdout: string; readonly stderr: string; readonly pauses: number }

/** Runs `les …` in process with a team's key; the service works while the command waits between polls. */
const les = (key: string | null, ...argv: readonly string[]): Promise<Outcome> => lesAt({}, key, ...argv)

/** The same at a terminal, with somebody who answers. */
async function lesAt(
  terminal: Partial<Pick<Io, 'stdin' | 'ask'>>,
  key: string | null,
  ...argv: readonly string[]
): Promise<Outcome> {
  let [stdout, stderr, nowMs, pauses] = ['', '', 0, 0]
  const io: Io = {
    stdout: { write: (text) => void (stdout += text), isTty: false, columns: 100 },
    stderr: { write: (text) => void (stderr += text), isTty: terminal.stdin?.isTty === true, columns: 100 },
    stdin: { isTty: false, read: async () => Buffer.alloc(0) },
    ask: { confirm: async () => undefined, secret: async () => undefined, choose: async () => undefined },
    ...terminal,
    env: {
      HOME: '/nonexistent',
      LES_BASE_URL: world.url,
      NO_COLOR: '1',
      ...(key === null ? {} : { LES_API_KEY: key }),
    },
    fetch,
    signal: new AbortController().signal,
    now: () => nowMs,
    random: () => 0,
    newId: randomUUID,
    sleep: async (ms) => {
      nowMs += ms
      pauses += 1
      await world.drain()
    },
  }
  const code = await run(argv, io)
  return { code, stdout, stderr, pauses }
}

/** A team with an author on whose post two people have engaged. */
async function withAuthor(): Promise<{ team: Team; author: string; fan: string }> {
  const [author, fan] = [world.handle('author'), world.handle('fan')]
  world.network.seedPerson({ handle: fan, name: 'Ann Example', title: 'Head of Growth' })
  world.network.seedPost({
    author,
    reactions: [{ person: fan }],
    comments: [{ person: world.handle('other'), text: 'Great' }],
  })
  return { team: await world.team(), author, fan }
}

describe('the typed client', () => {
  it('tracks, polls, reads leads, credits and keys, and untracks with the answers of the API [ENR-01, ENR-03, JOB-02]', async () => {
    const { team, author, fan } = await withAuthor()
    const { client } = team
    const { jobId, syncId, creditCapPerSync } = await client.enrichProfile({
      username: author,
      saveTrackedProfile: true,
      creditCapPerSync: 10,
    })
    expect([creditCapPerSync, (await client.getJobStatus({ jobId })).status]).toEqual([10, 'pending'])
    await world.drain()
    expect(await client.getJobStatus({ jobId })).toMatchObject({ status: 'completed', result: { creditsCharged: 0 } })
    expect(await client.getProfileSync({ username: author })).toMatchObject({
      syncId,
      state: 'completed',
      capture: { creditsSpent: 2 },
    })
    const page = await client.listLeads({ username: author, engagementType: 'Like' })
    expect(page).toMatchObject({ total: 1, leads: [{ name: 'Ann Example', jobTitle: 'Head of Growth' }] })
    expect(await client.getCredits({})).toEqual((await team.get('/credits')).body)
    expect((await client.listKeys({})).keys).toHaveLength(1)
    expect(await client.resolveProfileUrn({ username: fan })).toEqual({
      username: fan,
      entityUrn: world.network.person(fan)!.id,
      creditsCharged: 0,
    })
    expect(await client.untrackProfile({ username: author })).toEqual({
      ok: true,
      username: author,
      profileType: 'person',
      untracked: true,
    })
  })

  it('rejects with the whole refusal: status, code, message and figures [SPD-03, ENR-29]', async () => {
    const team = await world.team({ credits: 40 })
    const refused = await team.client
      .enrichCompany({
        username: silent(world, 'company'),
        saveTrackedProfile: true,
        mode: 'posts_only',
        postsPerSync: 7,
      })
      .catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(ApiError)
    expect(refused).toMatchObject({
      status: 409,
      code: 'spend_confirmation_required',
      body: { estimatedDailyMax: 7, daysToExhaustAtCap: 5, remainingBalance: 40 },
    })
    await expect(team.client.getJobStatus({ jobId: team.id })).rejects.toMatchObject({ status: 404, code: undefined })
  })
})

describe('les', () => {
  it('enrich profile --wait follows the job and the sync to their end and prints the last status [ENR-03, ENR-10]', async () => {
    const { team, author } = await withAuthor()
    const outcome = await les(
      team.apiKey,
      'enrich',
      'profile',
      '--username',
      author,
      '--save-tracked-profile',
      '--credit-cap-per-sync',
      '9',
      '--wait',
      '--json',
    )
    expect([outcome.code, outcome.stderr]).toEqual([0, expect.stringMatching(/^waiting for job \S+\n/)])
    expect(outcome.pauses).toBeGreaterThan(0)
    expect(outcome.stdout).toBe(`${(await team.get(`/profile/${author}/sync`)).text}\n`)
    expect(JSON.parse(outcome.stdout)).toMatchObject({
      state: 'completed',
      isFinal: true,
      capture: { stoppedBy: 'exhausted', creditsSpent: 2 },
    })
    expect(await sourceOf(team, author)).toMatchObject({ creditCapPerSync: 9 })
    expect(await leadsOf(team, author)).toHaveLength(2)
  })

  it('--wait on a job that fails exits 8 and says why [JOB-05]', async () => {
    const team = await world.team()
    const outcome = await les(
      team.apiKey,
      'enrich',
      'profile',
      '--username',
      world.handle('nobody'),
      '--save-tracked-profile',
      '--wait',
    )
    expect([outcome.code, outcome.stderr]).toEqual([
      8,
      expect.stringMatching(/^waiting for job \S+\nles: the job failed: Profile not found\n$/),
    ])
  })

  it('a posts-only watch without --confirm-spend exits 3 with figures; with it, it is made [SPD-03, SPD-04, SPD-07]', async () => {
    const team = await world.team({ credits: 40 })
    const username = silent(world)
    const command = [
      'enrich',
      'profile',
      '--username',
      username,
      '--save-tracked-profile',
      '--mode',
      'posts_only',
      '--posts-per-sync',
      '7',
    ]
    const refused = await les(team.apiKey, ...command)
    expect([refused.code, JSON.parse(refused.stdout)]).toMatchObject([
      3,
      { code: 'spend_confirmation_required', estimatedDailyMax: 7, daysToExhaustAtCap: 5, remainingBalance: 40 },
    ])
    expect(refused.stderr).toContain('--confirm-spend')
    expect(await sourcesOf(team)).toEqual([])
    expect((await les(team.apiKey, ...command, '--confirm-spend')).code).toBe(0)
    expect(await sourceOf(team, username)).toMatchObject({ mode: 'posts_only', postsPerSync: 7 })
  })

  it('a charge agreed to at a terminal is made once, with one Idempotency-Key for question and yes [SPD-03, SPD-04]', async () => {
    const team = await world.team({ credits: 40 })
    const username = silent(world)
    const asked: string[] = []
    const yes = {
      stdin: { isTty: true, read: async () => Buffer.alloc(0) },
      ask: {
        confirm: async (question: string) => asked.push(question) > 0,
        secret: async () => undefined,
        choose: async () => undefined,
      },
    }
    const command = [
      'enrich',
      'profile',
      '--username',
      username,
      '--save-tracked-profile',
      '--mode',
      'posts_only',
      '--posts-per-sync',
      '7',
      '--idempotency-key',
      'a-charge-agreed-to',
    ]
    expect((await les(team.apiKey, ...command)).code).toBe(3)
    const first = await lesAt(yes, team.apiKey, ...command)
    expect([first.code, asked.length, first.stderr]).toEqual([
      0,
      1,
      expect.stringMatching(/credits a day at most +7\n/),
    ])
    expect(await sourceOf(team, username)).toMatchObject({ mode: 'posts_only', postsPerSync: 7 })
    const again = await les(team.apiKey, ...command, '--confirm-spend')
    expect([again.code, again.stdout]).toEqual([0, first.stdout])
  })

  it('tells refusals apart by exit code: 404 is 5, 401 is 4, 402 is 6, other refusals are 1', async () => {
    const team = await world.team({ credits: 0 })
    const username = silent(world)
    await les(team.apiKey, 'enrich', 'profile', '--username', username, '--save-tracked-profile', '--wait')
    const { id } = await sourceOf(team, username)
    const outcomes = [
      [5, await les(team.apiKey, 'profile', 'sync', world.handle())],
      [5, await les(team.apiKey, 'jobs', 'get', team.id)],
      [5, await les(team.apiKey, 'enrich', 'profile', '--username', world.handle('nobody'))],
      [4, await les('cs_wrong', 'credits', 'show')],
      [4, await les(null, 'credits', 'show')],
      [6, await les(team.apiKey, 'sources', 'sync', id)],
      [1, await les(team.apiKey, 'enrich', 'company', '--username', username, '--save-tracked-profile')],
    ] as const
    for (const [code, outcome] of outcomes)
      expect([outcome.code, outcome.stdout, outcome.stderr.startsWith('les: ')]).toEqual([code, '', true])
  })
})
