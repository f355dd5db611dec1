/** A team's settings as a file: pulled from one team, applied to another, with no difference left. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { les, type Outcome } from '../../../cli/test/shell.ts'
import { silent, sourcesOf } from '../world/tracking.ts'
import { useWorld, type Team, workedByDrain } from '../world/world.ts'

const world = useWorld({ config: workedByDrain })
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'les-config-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const config = (
  team: Team,
  words: readonly string[],
  file: string,
  env: Record<string, string> = {},
): Promise<Outcome> =>
  les(['config', ...words, '--file', join(folder, file)], { url: world.url, env: { LES_API_KEY: team.apiKey, ...env } })
const text = (file: string) => readFileSync(join(folder, file), 'utf8')
const ok = async (outcome: Promise<Outcome>): Promise<Outcome> => {
  const done = await outcome
  expect([done.code, done.stderr]).toEqual([0, done.stderr])
  return done
}

describe('a file', () => {
  let one: Team
  let other: Team
  beforeAll(async () => {
    ;[one, other] = [await world.team({ credits: 5_000 }), await world.team({ credits: 5_000 })]
    world.network.seedSearch({ generated: false, posts: [] })
    const [person, company] = [silent(world), silent(world, 'company')]
    await one.post('/enrich/profile', { username: person, saveTrackedProfile: true, creditCapPerSync: 50 })
    const posts = { mode: 'posts_only', postsPerSync: 5, confirmSpend: true }
    await one.post('/enrich/company', { username: company, saveTrackedProfile: true, ...posts })
    const search = { creditCap: 40, captureMode: 'depth', datePosted: 'PAST_WEEK', confirmSpend: true }
    const terms = [world.handle('term'), world.handle('term')]
    await one.post('/keyword/track', { keywords: terms, ...search, capturePostAuthors: true, fromCompany: ['1234'] })
    const expression = `"${world.handle('word')}" AND hiring AND NOT intern`
    const withExpression = { expression, ...search, creditCap: 30, mentionsCompany: ['urn:li:organization:7'] }
    const { status, body } = await one.post('/keyword/track', withExpression)
    expect([status, body.error]).toEqual([201, undefined])
    const { id } = world.network.seedPost({ author: world.handle('author') })
    await one.post('/post/track', { postUrl: `urn:li:activity:${id}`, creditCapPerSync: 5, captureReplies: false })
    await one.put(`/profile/${person}/webhook`, { webhookUrl: 'http://127.0.0.1:9/hook', autoSend: false })
    const rules = [{ column: 'jobTitle', operator: 'contains', value: 'growth' }]
    await one.put(`/company/${company}/icp`, { rules, matchMode: 'any' })
    await one.put('/agent', { titles: ['Head of Growth'], topics: ['growth'], dailyCredits: 100 })
    await world.drain()
  })

  it('of one team makes another the same: nothing differs afterwards, and a second run does nothing [CLI-02, SPD-01]', async () => {
    await ok(config(one, ['pull'], 'team.yaml'))
    expect((await ok(config(one, ['plan'], 'team.yaml'))).stdout).toMatch(/^Nothing to do\./)
    const plan = await ok(config(other, ['plan'], 'team.yaml'))
    expect(plan.stdout).toContain('Credits: at most 130 a day more; 5000 left now.')
    expect(plan.stdout).not.toContain(one.signingSecret)
    const refused = await config(other, ['apply'], 'team.yaml')
    expect([refused.code, await sourcesOf(other)]).toEqual([3, []])
    const figures = await ok(config(other, ['plan', '--json'], 'team.yaml'))
    expect(JSON.parse(refused.stdout)).toEqual(JSON.parse(figures.stdout))
    const applied = await ok(config(other, ['apply', '--confirm-spend'], 'team.yaml'))
    expect(applied.stderr).toContain('nothing differs')
    expect((await ok(config(other, ['apply'], 'team.yaml'))).stderr).toContain('Nothing to do.')
    await ok(config(other, ['pull'], 'other.yaml'))
    const sorted = (file: string) =>
      text(file)
        .split(/\n(?= {2}- )/)
        .sort()
    expect(sorted('other.yaml').join('\n').split('\n').sort()).toEqual(
      sorted('team.yaml').join('\n').split('\n').sort(),
    )
  })

  it('keeps its comments and what stands in the environment when it is pulled again', async () => {
    const env = { HOOK: 'http://127.0.0.1:9/hook' }
    const commented = text('team.yaml').replace('version: 1', 'version: 1 # ours').replace(env.HOOK, '${env:HOOK}')
    writeFileSync(join(folder, 'kept.yaml'), commented)
    await one.call('PATCH', `/profile/${(await sourcesOf(one)).find(({ type }) => type === 'person').username}`, {
      creditCapPerSync: 60,
    })
    expect((await config(one, ['plan'], 'kept.yaml')).stderr).toContain('HOOK in the environment')
    await ok(config(one, ['pull'], 'kept.yaml', env))
    expect(text('kept.yaml')).toBe(commented.replace('creditCapPerSync: 50', 'creditCapPerSync: 60'))
    // Back again, by the file as it was.
    const back = await ok(config(one, ['plan'], 'team.yaml'))
    expect(back.stdout).toContain('creditCapPerSync: 60 -> 50')
    await ok(config(one, ['apply'], 'team.yaml'))
    expect((await ok(config(one, ['plan'], 'team.yaml'))).stdout).toMatch(/^Nothing to do\./)
  })

  it('that was applied halfway is applied to its end by the next run, and prunes only when it is told to', async () => {
    const third = await world.team({ credits: 5_000 })
    const person = (await sourcesOf(one)).find(({ type }) => type === 'person').username
    await third.post('/enrich/profile', { username: person, saveTrackedProfile: true, creditCapPerSync: 50 })
    const extra = silent(world)
    await third.post('/enrich/profile', { username: extra, saveTrackedProfile: true })
    await world.drain()
    const plan = await ok(config(third, ['plan'], 'team.yaml'))
    expect(plan.stdout).not.toContain(`+ person ${person}`)
    expect(plan.stdout).toContain('1 tracked and not in the file: kept')
    await ok(config(third, ['apply', '--confirm-spend'], 'team.yaml'))
    expect((await sourcesOf(third)).filter(({ status }) => status === 'active')).toHaveLength(6)
    await ok(config(third, ['apply', '--prune'], 'team.yaml'))
    expect(
      (await sourcesOf(third)).filter(({ status }) => status === 'active').map(({ username }) => username),
    ).not.toContain(extra)
  })

  it('gives every yes that is wanted: to another mode of a search, and to what a revived one looks for [SPD-01, SPD-04]', async () => {
    const team = await world.team({ credits: 1_000 })
    const term = world.handle('term')
    const apply = (settings: string) => {
      writeFileSync(
        join(folder, 'yes.yaml'),
        `version: 1\nsources:\n  - search: [${term}]\n    settings: { captureMode: depth, ${settings} }\n`,
      )
      return ok(config(team, ['apply', '--confirm-spend'], 'yes.yaml'))
    }
    await apply('creditCap: 40, datePosted: PAST_WEEK')
    await apply('creditCap: 40, datePosted: PAST_WEEK, mode: posts_only, postsPerSync: 5')
    await apply('creditCap: 60, datePosted: PAST_WEEK, mode: posts_only, postsPerSync: 5')
    const [source] = await sourcesOf(team)
    expect((await team.del(`/keyword/${source!.id}`)).status).toBe(200)
    await apply('creditCap: 20, datePosted: PAST_MONTH, mode: engagers')
    expect(await sourcesOf(team)).toMatchObject([{ id: source!.id, status: 'active', mode: 'engagers' }])
  })
})
