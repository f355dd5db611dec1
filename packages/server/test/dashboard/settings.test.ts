import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { keptLog } from '../observability/stage.ts'
import { textsOf } from '../world/contents.ts'
import { refusedWithoutTrace } from '../world/tracking.ts'
import { ownSchemas } from '../world/shards.ts'
import { useWorld, type Answer, type Team } from '../world/world.ts'
import { memberOf, type MemberBrowser } from './stage.ts'

const kept = keptLog()
const world = useWorld({ log: kept.log })
const aiVendors = ['openai', 'anthropic', 'google', 'mistral'] as const
const kinds = [...aiVendors, 'outreach'] as const
const canary = (name: string) => `${name}-canary-${randomBytes(12).toString('hex')}`

async function stage(settings: Record<string, unknown> = {}): Promise<{ team: Team; owner: MemberBrowser }> {
  const team = await world.team(settings)
  return { team, owner: await memberOf(world, team, 'owner') }
}
const estimate = async (team: Team): Promise<string[]> =>
  (
    await team.post('/keyword/estimate', {
      keywords: ['hiring'],
      captureMode: 'depth',
      datePosted: 'PAST_WEEK',
      creditCap: 20,
    })
  ).body.filtering.aiKeyStoredFor

describe('the key of a third party', () => {
  it('of an AI vendor is tried out, stored and shown as stored: estimates say so at once, and forget it again [DSH-02, AIF-02, AUT-17]', async () => {
    const { team, owner } = await stage()
    expect(await estimate(team)).toEqual([])
    for (const vendor of aiVendors) {
      const put = await owner.put(`/credentials/${vendor}`, { key: '  a-good-key  ' })
      expect([put.status, put.body]).toEqual([
        200,
        { credential: { kind: vendor, stored: true, storedAt: '2026-11-21T09:00:00.000Z' }, checked: true },
      ])
      expect(await estimate(team)).toEqual([vendor])
      expect((await owner.get('/settings')).body.credentials.filter((one: { stored: boolean }) => one.stored)).toEqual([
        put.body.credential,
      ])
      const removed = await owner.del(`/credentials/${vendor}`)
      expect([removed.status, removed.body]).toEqual([
        200,
        { credential: { kind: vendor, stored: false, storedAt: null } },
      ])
      expect(await estimate(team)).toEqual([])
    }
  })

  it('of the outreach platform connects it, and disconnects it again [DSH-03, OUT-01]', async () => {
    const { team, owner } = await stage()
    const connected = async () => (await team.get('/integrations/outreach')).body.connected
    expect(await connected()).toBe(false)
    expect((await owner.put('/credentials/outreach', { key: 'hr-key' })).body).toMatchObject({
      checked: true,
      credential: { stored: true },
    })
    expect(await connected()).toBe(true)
    await owner.del('/credentials/outreach')
    expect(await connected()).toBe(false)
  })

  it('is forgotten alone: those of other teams, and of other vendors, go on working [AUT-11, DSH-02, DSH-03, AIF-02]', async () => {
    const [mine, theirs] = [await stage(), await stage()]
    await theirs.owner.put('/credentials/openai', { key: 'a-good-key' })
    for (const kind of ['openai', 'mistral', 'outreach'])
      await mine.owner.put(`/credentials/${kind}`, { key: 'a-good-key' })
    await mine.owner.del('/credentials/openai')
    expect([await estimate(mine.team), await estimate(theirs.team)]).toEqual([['mistral'], ['openai']])
    expect((await mine.team.get('/integrations/outreach')).body.connected).toBe(true)
  })

  it('that its owner refuses is not stored, and one that was stays [DSH-02, DSH-03]', async () => {
    const { owner } = await stage()
    for (const kind of kinds) {
      const refuse = () => refusedWithoutTrace(world, () => owner.put(`/credentials/${kind}`, { key: 'bad-key' }))
      const refused = await refuse()
      expect([kind, refused.status, refused.body.code]).toEqual([kind, 409, 'credential_rejected'])
      await owner.put(`/credentials/${kind}`, { key: 'good' })
      await refuse()
      const { credentials } = (await owner.get('/settings')).body
      expect([kind, credentials.find((one: { kind: string }) => one.kind === kind).stored]).toEqual([kind, true])
    }
  })

  it('is in no answer, audit entry, log line, job or readable column [AUT-17, AIF-02, OUT-01]', async () => {
    const { team, owner } = await stage()
    const secrets = kinds.map((kind) => [kind, canary(kind)] as const)
    const answers: Answer[] = []
    for (const [kind, secret] of secrets) {
      const put = (body: object, headers?: Record<string, string>) =>
        owner.call('PUT', `/credentials/${kind}`, body, headers)
      const retry = { 'idempotency-key': canary('retry') }
      const tried = [
        await put({ key: secret }, retry),
        await put({ key: secret }, retry),
        await put({ key: secret, nonsense: secret }),
        await put({ key: [secret] }),
        await put({ key: secret }),
      ]
      world.network.fault({ kind: 'status', status: 401, times: 10 })
      tried.push(await put({ key: secret }))
      world.network.clearFaults()
      await world.arm('handler')
      tried.push(await put({ key: secret }))
      expect([kind, ...tried.map(({ status }) => status)]).toEqual([kind, 200, 200, 400, 400, 200, 409, 500])
      answers.push(...tried)
    }
    for (const path of ['/settings', '/audit', '/v1/integrations/outreach', '/v1/keys'])
      answers.push(await owner.get(path))
    answers.push(await team.get('/integrations/outreach'), await team.get('/sources'))
    expect(kept.text()).toContain('vendor call')
    const columns = await storedTexts()
    for (const [kind, secret] of secrets) {
      expect([kind, answers.filter(({ text }) => text.includes(secret))]).toEqual([kind, []])
      expect(kept.text()).not.toContain(secret)
      expect([kind, holding(columns, secret)]).toEqual([kind, []])
      expect(holding(columns, kind)).toContain('team_credential.kind')
    }
  })
})

/** What every readable column holds, by table and column. */
const storedTexts = async () =>
  (await Promise.all(['sign_in', ...ownSchemas].map((schema) => textsOf(world.database, schema)))).flatMap((texts) => [
    ...texts,
  ])
const holding = (columns: Awaited<ReturnType<typeof storedTexts>>, text: string): string[] =>
  columns.filter(([, held]) => held.includes(text)).map(([column]) => column)

describe('an API key made at the dashboard', () => {
  it('authenticates like any other, is shown masked with its last use, and stops when revoked [DSH-01, AUT-05]', async () => {
    const { team, owner } = await stage()
    const made = await owner.post('/v1/keys', { name: 'Zapier' })
    expect(made.status).toBe(201)
    const { key } = made.body
    expect((await team.get('/credits', { key })).status).toBe(200)
    const listed = (await owner.get('/v1/keys')).body.keys.find((one: { id: string }) => one.id === made.body.id)
    expect(listed).toMatchObject({ name: 'Zapier', lastUsedAt: '2026-11-21T09:00:00.000Z' })
    expect(listed.maskedKey).not.toBe(key)
    expect((await owner.get('/v1/keys')).text).not.toContain(key)
    expect((await owner.del(`/v1/keys/${made.body.id}`)).status).toBe(200)
    expect((await team.get('/credits', { key })).status).toBe(401)
  })
})

describe('plan and trial', () => {
  it('decide whether the team is served: 200 on a trial, 403 after it, while its settings can still be read [DSH-04]', async () => {
    const { team, owner } = await stage({ status: 'trial', trialEndsAt: '2026-12-01T09:00:00.000Z', credits: 300 })
    const reach = async () => [
      (await team.get('/sources')).status,
      (await owner.get('/v1/sources')).status,
      (await owner.get('/leads/export')).status,
      (await owner.get('/settings')).status,
    ]
    expect(await reach()).toEqual([200, 200, 200, 200])
    expect((await owner.get('/settings')).body).toMatchObject({
      team: {
        id: team.id,
        plan: 'trial',
        status: 'trial',
        trialEndsAt: '2026-12-01T09:00:00.000Z',
        captureAllowed: true,
      },
      credits: { balance: 300, nextReset: '2026-12-01T09:00:00.000Z' },
      signing: { rotatingUntil: null },
    })
    await team.change({ status: 'expired' })
    expect(await reach()).toEqual([403, 403, 403, 200])
    expect((await owner.get('/settings')).body.team.status).toBe('expired')
    await team.change({ status: 'active' })
    expect(await reach()).toEqual([200, 200, 200, 200])
  })
})

describe('the signing secret', () => {
  it('is made anew and shown once; the one before signs beside it for a day [WHK-13]', async () => {
    const { team, owner } = await stage()
    const retry = { 'idempotency-key': canary('retry') }
    const made = await owner.call('POST', '/signing-secret', {}, retry)
    expect(made.body).toEqual({
      signingSecret: expect.stringMatching(/^whsec_/),
      rotatingUntil: '2026-11-22T09:00:00.000Z',
    })
    expect(made.body.signingSecret).not.toBe(team.signingSecret)
    expect((await owner.call('POST', '/signing-secret', {}, retry)).body).toEqual({
      signingSecret: null,
      rotatingUntil: '2026-11-22T09:00:00.000Z',
    })
    expect((await owner.get('/settings')).body.signing).toEqual({ rotatingUntil: '2026-11-22T09:00:00.000Z' })
    const shown = [await owner.get('/settings'), await owner.get('/audit')]
    expect(shown.filter(({ text }) => text.includes(made.body.signingSecret))).toEqual([])
    expect(holding(await storedTexts(), made.body.signingSecret)).toEqual([])
    await sql`update team set previous_secret_until = ${'2026-11-21T09:00:00.000Z'}::timestamptz
      where id = ${team.id}`.execute(world.database.root)
    expect((await owner.get('/settings')).body.signing).toEqual({ rotatingUntil: null })
  })
})

describe('the audit log', () => {
  let team: Team
  let owner: MemberBrowser
  let viewer: MemberBrowser
  beforeAll(async () => {
    ;({ team, owner } = await stage())
    viewer = await memberOf(world, team, 'viewer')
    await owner.patch('/settings', { name: 'Audited' })
    await owner.put('/credentials/openai', { key: 'a-good-key' })
    await team.post('/keyword/track', {
      keywords: ['hiring'],
      captureMode: 'depth',
      datePosted: 'PAST_WEEK',
      creditCap: 20,
      confirmSpend: true,
    })
    await owner.put('/credentials/openai', { key: 'bad-key' })
    await owner.post('/signing-secret')
  })

  it('tells every change, newest first, with who made it and what was sent, and no secret of it', async () => {
    const { status, body } = await viewer.get('/audit')
    expect(status).toBe(200)
    const { keys } = (await team.get('/keys')).body
    expect(body.nextCursor).toBeNull()
    expect(
      body.entries.map(({ operation, actor, target }: { operation: string; actor: object; target: string | null }) => ({
        operation,
        actor,
        target,
      })),
    ).toEqual([
      { operation: 'rotateSecret', actor: { kind: 'user', name: owner.email }, target: null },
      {
        operation: 'trackKeyword',
        actor: { kind: 'key', name: `Default (${keys[0].maskedKey})` },
        target: expect.any(String),
      },
      { operation: 'putCredential', actor: { kind: 'user', name: owner.email }, target: 'openai' },
      { operation: 'renameTeam', actor: { kind: 'user', name: owner.email }, target: null },
    ])
    expect(body.entries[2].details).toEqual({ key: '(not kept)' })
    expect(body.entries[3]).toMatchObject({ details: { name: 'Audited' }, at: '2026-11-21T09:00:00.000Z' })
  })

  it('is read page by page, each entry once, also while it grows', async () => {
    const first = (await viewer.get('/audit?limit=3')).body
    await owner.patch('/settings', { name: 'Audited again' })
    const second = (await viewer.get(`/audit?limit=3&cursor=${first.nextCursor}`)).body
    expect([first.entries.length, second.entries.length, second.nextCursor]).toEqual([3, 1, null])
    expect(new Set([...first.entries, ...second.entries].map(({ id }: { id: string }) => id)).size).toBe(4)
    expect((await viewer.get('/audit?cursor=nonsense')).status).toBe(400)
  })

  it('is a team’s own, and says nothing of what was refused', async () => {
    const other = await stage()
    expect((await other.owner.get('/audit')).body.entries).toEqual([])
    const { rows } = await sql<{
      count: number
    }>`select count(*) as count from audit_entry where team_id = ${team.id} and operation = 'putCredential'`.execute(
      world.database.root,
    )
    expect(rows[0]!.count).toBe(1)
  })

  it('says nothing of what was only read or tried out, and keeps no address that a webhook goes to', async () => {
    const { team, owner } = await stage()
    const inbox = await world.inbox()
    const username = world.handle('quiet')
    await team.post('/enrich/profile', { username, saveTrackedProfile: true })
    const rules = [{ column: 'jobTitle', operator: 'contains', value: 'growth' }]
    const { status } = await team.put(`/profile/${username}/icp`, { rules, dryRun: true })
    const url = `${inbox.url}?token=in-the-address`
    const saved = await team.put(`/profile/${username}/webhook`, { webhookUrl: url })
    await owner.put('/defaults/all', { webhook: { url } })
    const writer = world.handle('writer')
    world.network.seedPerson({ handle: writer, posts: [{ text: 'Read for a credit', reactions: 0, comments: 0 }] })
    const read = await team.get(`/profile/${writer}/posts?posts=1&confirmSpend=true`)
    expect([status, saved.status, read.status, read.body.creditsCharged]).toEqual([200, 200, 200, 1])
    const { entries } = (await owner.get('/audit')).body
    expect(entries.map(({ operation }: { operation: string }) => operation)).toEqual([
      'saveDefaults',
      'updateProfileWebhook',
      'enrichProfile',
    ])
    expect(JSON.stringify(entries)).not.toContain('in-the-address')
    expect(JSON.stringify(entries[1].details)).toContain('(not kept)')
  })
})
