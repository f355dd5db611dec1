import { type OperationId, wordsOf } from '@les/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { les } from '../../../cli/test/shell.ts'
import { useWorld, type Answer, drainOnlyUnlessLongRun } from '../world/world.ts'
import { fill, operations, parametersOf, requiredQuery, setStage, type Stage } from './stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })
let stage: Stage
beforeAll(async () => {
  stage = await setStage(world)
})

function expectPromised(schema: z.ZodType, answer: Answer, status: number): void {
  expect(answer.status === status ? status : answer.text).toBe(status)
  expect(schema.parse(answer.body)).toEqual(answer.body)
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
}

/** Bodies of operations that need more than the contract's example to succeed. */
const bodies: { readonly [Id in OperationId]?: () => unknown } = {
  updateAgent: () => ({ summary: 'Nobody writes of what this agent is about' }),
  updateKeywordWebhook: () => ({ autoSend: false }),
  updateProfileWebhook: () => ({ autoSend: false }),
  updateCompanyWebhook: () => ({ autoSend: false }),
  updateSourceWebhook: () => ({ autoSend: false }),
  createDestination: () => ({
    kind: 'slack',
    name: 'Another channel',
    settings: {},
    credentials: { webhookUrl: 'https://hooks.slack.com/services/T01/B01/another' },
  }),
  enrichProfile: () => ({
    username: stage.owned['profile/{username}'],
    saveTrackedProfile: true,
    creditCapPerSync: null,
    enrichLeads: true,
  }),
  enrichCompany: () => ({
    username: stage.owned['company/{username}'],
    saveTrackedProfile: true,
    firstSyncPosts: 3,
    firstSyncDays: null,
  }),
}
/** Operations that need more than the stage has; their own scenarios cover them. */
const elsewhere: readonly string[] = [
  'trackPost',
  'untrackPost',
  'listSourcePosts',
  'listKeptPosts',
  'readProfilePosts',
  'readCompanyPosts',
  'disputeCharge',
  'createObjection',
]

function exampleHere(example: Readonly<Record<string, unknown>>, path: string): Record<string, unknown> {
  const kind = path.startsWith('/company') ? 'company' : 'profile'
  return {
    ...example,
    ...('postUrn' in example ? { postUrn: stage.owned['post/{urn}'] } : {}),
    ...('username' in example ? { username: stage.owned[`${kind}/{username}`] } : {}),
  }
}

const here = operations.filter(({ id }) => !elsewhere.includes(id))
const reads = here.filter(({ method }) => method === 'GET')
// Untracking and revoking come last, because the others need what they remove.
const writes = here
  .filter(({ method }) => method !== 'GET')
  .toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'))

describe('every answer is what the schema promises', () => {
  it.each(reads.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    '%s, the same over the command line [CON-02, CON-20, CON-26, CON-24]',
    async (_name, operation) => {
      const answer = await stage.team.get(fill(operation.path, stage.owned) + (requiredQuery[operation.id] ?? ''))
      expectPromised(operation.success, answer, operation.status)
      const shown = await les(
        [
          ...wordsOf(operation),
          ...parametersOf(operation.path).map((name) => stage.owned[name]!),
          ...(requiredQuery[operation.id] ?? '').split(/[?&]/).flatMap((pair) => {
            const [name, value] = pair.split('=')
            return value === undefined ? [] : [`--${name}`, value]
          }),
          '--json',
        ],
        { url: world.url, env: { LES_API_KEY: stage.team.apiKey } },
      )
      // The command line masks signing secrets. Periods that end now are equal because the clock stands still.
      expect([
        shown.code,
        JSON.parse(shown.stdout.replace(/"signingSecret":"[^"]*"/, '"signingSecret":"masked"')),
      ]).toEqual([0, JSON.parse(answer.text.replace(/"signingSecret":"[^"]*"/, '"signingSecret":"masked"'))])
    },
  )

  it.each(writes.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    '%s [CON-02, CON-20, CON-26, CON-24]',
    async (_name, operation) => {
      const body =
        operation.body === null
          ? undefined
          : (bodies[operation.id as OperationId]?.() ?? exampleHere(operation.example ?? {}, operation.path))
      const answer = await stage.team.call(operation.method, fill(operation.path, stage.owned), body)
      expectPromised(operation.success, answer, operation.status)
      await world.drain()
    },
  )
})

describe('conventions', () => {
  it('one identifier is one source of a team, of whatever kind; another team may hold it too [CON-21..CON-23, ERR-18]', async () => {
    const [one, two] = [await world.team({ credits: 50 }), await world.team({ credits: 50 })]
    const handle = world.handle('shared')
    world.network.seedPerson({ handle, posts: [] })
    world.network.seedCompany({ slug: handle, posts: [] })
    expect((await one.post('/enrich/profile', { username: handle, saveTrackedProfile: true })).status).toBe(200)
    for (const username of [handle, handle.toUpperCase(), `@${handle}`, ` ${handle} `]) {
      const refused = await one.post('/enrich/company', { username, saveTrackedProfile: true })
      expect([refused.status, refused.body.code]).toEqual([409, 'identifier_in_use'])
      expect((await one.post('/enrich/profile', { username, saveTrackedProfile: true })).status).toBe(200)
    }
    expect((await two.post('/enrich/company', { username: handle, saveTrackedProfile: true })).status).toBe(200)
    const sources = async (team: typeof one) => (await team.get('/sources')).body.sources
    expect(
      (await sources(one)).map((source: { type: string; username: string }) => `${source.type} ${source.username}`),
    ).toEqual([`person ${handle}`])
    expect(
      (await sources(two)).map((source: { type: string; username: string }) => `${source.type} ${source.username}`),
    ).toEqual([`company ${handle}`])
    expect((await sources(one))[0].id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    expect([
      (await one.get(`/profile/${handle}/sync`)).status,
      (await one.get(`/company/${handle}/sync`)).status,
      (await two.get(`/profile/${handle}/sync`)).status,
    ]).toEqual([200, 404, 404])
  })

  it('a company page URL is its slug, a profile URL is no handle, and a source id is just an unknown handle [CON-13..CON-15]', async () => {
    const { team } = await setStage(world)
    const { sources } = (await team.get('/sources')).body
    const [person, company] = ['person', 'company'].map((type) =>
      sources.find((source: { type: string }) => source.type === type),
    ) as [{ id: string; username: string }, { id: string; username: string }]
    const plain = await team.get(`/company/${company.username}/sync`)
    for (const url of [
      `https://www.linkedin.com/company/${company.username}`,
      `https://linkedin.com/company/${company.username}/posts/?x=1`,
    ])
      expect((await team.get(`/company/${encodeURIComponent(url)}/sync`)).body).toEqual(plain.body)
    expect(
      (await team.get(`/profile/${encodeURIComponent(`https://www.linkedin.com/in/${person.username}`)}/sync`)).status,
    ).toBe(400)
    for (const source of [person, company])
      expect([
        (await team.get(`/profile/${source.id}/sync`)).status,
        (await team.get(`/company/${source.id}/sync`)).status,
      ]).toEqual([404, 404])
    for (const method of ['GET', 'PATCH', 'PUT', 'DELETE']) {
      const answer = await team.call(method, `/sources/${person.id}`, method === 'GET' ? undefined : {})
      expect([answer.status, answer.body.code, answer.body.error]).toEqual([404, 'not_found', 'No such endpoint'])
    }
    for (const path of ['/nope', '/sources/', '/profile', `/profile/${person.username}/nope`])
      expect((await team.get(path)).body).toMatchObject({ error: 'No such endpoint', code: 'not_found' })
  })

  it(
    'other spellings are not the field; absent leaves what is stored, null clears where it may; a stray body on ' +
      'GET and DELETE is not read [CON-03..CON-05, CON-11, G156]',
    async () => {
      const { team, owned } = await setStage(world)
      const username = owned['profile/{username}']!
      for (const spelling of ['user_name', 'user-name', 'userName']) {
        const answer = await team.post('/enrich/profile', { [spelling]: username, saveTrackedProfile: true })
        expect([answer.status, answer.body.code]).toEqual([400, 'unknown_field'])
        expect(answer.body.error).toContain('`username`')
      }
      const stored = async () => (await team.get('/sources?type=person')).body.sources[0]
      const set = (settings: Record<string, unknown>) =>
        team.post('/enrich/profile', { username, saveTrackedProfile: true, ...settings })
      await set({ creditCapPerSync: 7, captureReplies: false })
      await set({ enrichLeads: false })
      expect(await stored()).toMatchObject({ creditCapPerSync: 7, captureReplies: false, enrichLeads: false })
      await set({ creditCapPerSync: null })
      expect(await stored()).toMatchObject({ creditCapPerSync: null, captureReplies: false, enrichLeads: false })
      expect(
        (await team.call('DELETE', `/profile/${world.handle('nobody')}`, undefined, { raw: '{bad' })).body,
      ).not.toHaveProperty('code')
      expect((await team.call('DELETE', `/profile/${username}`, undefined, { raw: '{bad' })).status).toBe(200)
    },
  )
})
