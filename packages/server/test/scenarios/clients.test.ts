import { ApiError } from '@les/contract'
import { describe, expect, it } from 'vitest'
import { les as run, type Circumstances, type Outcome } from '../../../cli/test/shell.ts'
import { leadsOf, silent, sourceOf } from '../world/tracking.ts'
import { useWorld, type Team } from '../world/world.ts'

const world = useWorld({ config: { roles: ['http'] } })

/** Runs `les …` in process with a team's key; the service works while the command waits between polls. */
const les = (team: Team, command: string, terminal: Circumstances = {}): Promise<Outcome> =>
  run(command, { url: world.url, env: { LES_API_KEY: team.apiKey }, onPause: () => world.drain(), ...terminal })

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
      team,
      `enrich profile --username ${author} --save-tracked-profile --credit-cap-per-sync 9 --wait --json`,
    )
    expect([outcome.code, outcome.stderr]).toEqual([0, expect.stringMatching(/^waiting for job \S+\n/)])
    expect(outcome.pausesMs.length).toBeGreaterThan(0)
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
    const outcome = await les(team, `enrich profile --username ${world.handle('nobody')} --save-tracked-profile --wait`)
    expect([outcome.code, outcome.stderr]).toEqual([
      8,
      expect.stringMatching(/^waiting for job \S+\nles: the job failed: Profile not found\n$/),
    ])
  })

  it('asks before a charge; agreed to at a terminal it is made once, with one Idempotency-Key for question and yes [SPD-03, SPD-04, SPD-07]', async () => {
    const team = await world.team({ credits: 40 })
    const username = silent(world)
    const command =
      `enrich profile --username ${username} --save-tracked-profile --mode posts_only --posts-per-sync 7 ` +
      '--idempotency-key a-charge-agreed-to'
    const refused = await les(team, command)
    expect([refused.code, JSON.parse(refused.stdout)]).toMatchObject([
      3,
      { code: 'spend_confirmation_required', estimatedDailyMax: 7, daysToExhaustAtCap: 5, remainingBalance: 40 },
    ])
    const asked: string[] = []
    const first = await les(team, command, { tty: true, answers: [true], asked })
    expect([first.code, asked.length, first.stderr]).toEqual([
      0,
      1,
      expect.stringMatching(/credits a day at most +7\n/),
    ])
    expect(await sourceOf(team, username)).toMatchObject({ mode: 'posts_only', postsPerSync: 7 })
    // At a terminal the output is a table; `--json` shows what the first request was answered with.
    const again = await les(team, `${command} --confirm-spend --json`)
    expect([again.code, first.stdout]).toEqual([0, expect.stringContaining(JSON.parse(again.stdout).jobId)])
    expect((await world.database.pool.query('select 1 from job where team_id = $1', [team.id])).rowCount).toBe(1)
  })
})
