/** One lead in detail: the person across all sources, fit and its reasons, deliveries or why there is none, campaigns. */
import { beforeAll, describe, expect, it } from 'vitest'
import { ok } from '../world/tracking.ts'
import { useWorld, type Answer, type Team, drainOnlyUnlessLongRun } from '../world/world.ts'
import { memberOf, type MemberBrowser } from './stage.ts'
import { nameOfPerson } from './source-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })
beforeAll(() => void world.network.seedSearch({ generated: false }))

async function stage(): Promise<{ team: Team; viewer: MemberBrowser; fan: string }> {
  const team = await world.team({ credits: 5_000 })
  const [fan, company] = [world.handle('fan'), world.handle('company')]
  world.network.seedCompany({ slug: company, employees: 12 })
  world.network.seedPerson({ handle: fan, name: 'Frida Fan', title: 'Head of Sales', country: 'DE', company })
  return { team, viewer: await memberOf(world, team, 'viewer'), fan }
}
async function track(team: Team, username: string, settings: Record<string, unknown> = {}): Promise<string> {
  await ok(team.post('/enrich/profile', { username, saveTrackedProfile: true, ...settings }))
  return (await team.get('/sources')).body.sources.find((source: { username: string }) => source.username === username)
    .id
}
const inText = (reasons: readonly { readonly message: string; readonly remedy: string | null }[]): string[] =>
  reasons.map(({ message, remedy }) => [message, remedy].filter(Boolean).join(' '))
const leadsOf = async (team: Team, sourceId: string): Promise<Answer['body'][]> =>
  (await ok(team.get(`/leads?profileId=${sourceId}&limit=100`))).leads

async function captured(settings: Record<string, unknown> = {}, hook?: Record<string, unknown>) {
  const { team, viewer, fan } = await stage()
  const author = world.handle('author')
  world.network.seedPost({
    author,
    text: 'What a post',
    postedAt: '2026-11-20T08:00:00.000Z',
    reactions: [{ person: fan, type: 'PRAISE' }],
    comments: [],
  })
  if (hook) world.network.hold({ operation: 'post-reactions' })
  const sourceId = await track(team, author, settings)
  if (hook) {
    await ok(team.put(`/profile/${author}/webhook`, hook))
    world.network.release()
  }
  await world.drain()
  return {
    team,
    viewer,
    fan,
    author,
    sourceId,
    detail: async () => ok(viewer.get(`/leads/${(await leadsOf(team, sourceId))[0].id}`)),
  }
}

describe('a lead in detail', () => {
  it('shows the person’s engagements over all sources, newest first, and which of them cost a credit [CRD-07]', async () => {
    const { team, viewer, fan } = await stage()
    const [one, two] = [world.handle('author'), world.handle('author')]
    world.network.seedPost({
      author: one,
      text: 'First post',
      postedAt: '2026-11-20T08:00:00.000Z',
      reactions: [{ person: fan, type: 'PRAISE' }],
      comments: [{ person: fan, text: '<b>Great</b>', at: '2026-11-20T09:30:00.000Z' }],
    })
    world.network.seedPost({
      author: two,
      text: 'x'.repeat(1_000),
      postedAt: '2026-11-19T08:00:00.000Z',
      reactions: [{ person: fan }],
    })
    const first = await track(team, one)
    await world.drain()
    await world.move('1h')
    const second = await track(team, two)
    await world.drain()
    const [lead] = await leadsOf(team, first)
    const body = await ok(viewer.get(`/leads/${lead.id}`))
    expect(body.lead).toEqual(lead)
    expect(body.engagementCount).toBe(3)
    expect(body.engagements[0]).toMatchObject({
      engagementType: 'Like',
      source: { id: second, kind: 'profile', label: nameOfPerson(world, two) },
      charged: true,
      at: '2026-11-21T10:00:00.000Z',
      postPostedAt: '2026-11-19T08:00:00.000Z',
    })
    expect(body.engagements[0].postText).toBe('x'.repeat(400))
    const ofFirst = body.engagements.slice(1)
    expect(
      ofFirst
        .map((each: { engagementType: string; commentText: string | null; postText: string }) => [
          each.engagementType,
          each.commentText,
          each.postText,
        ])
        .sort(),
    ).toEqual([
      ['Comment', '<b>Great</b>', 'First post'],
      ['Like', null, 'First post'],
    ])
    expect(ofFirst.filter((each: { charged: boolean }) => each.charged)).toHaveLength(1)
    expect(ofFirst.find((each: { engagementType: string }) => each.engagementType === 'Comment').commentPostedAt).toBe(
      '2026-11-20T09:30:00.000Z',
    )
    expect(body).toMatchObject({ fit: [], deliveries: [], sends: [] })
  })

  it('shows every row of the criteria of each source, whether the person passes it, and what was looked at [ICP-05]', async () => {
    const { team, author, sourceId, detail } = await captured()
    await ok(
      team.put(`/profile/${author}/icp`, {
        matchMode: 'any',
        rules: [
          { column: 'jobTitle', operator: 'contains', value: 'SALES' },
          { column: 'country', operator: 'in', value: ['France', 'Spain'] },
          { column: 'companyEmployeeCount', operator: 'at_least', value: 50 },
          { column: 'commentText', operator: 'is_empty' },
        ],
      }),
    )
    expect((await detail()).fit).toEqual([
      {
        sourceId,
        sourceLabel: nameOfPerson(world, author),
        isIcp: true,
        matchMode: 'any',
        rows: [
          { text: 'Job title contains “SALES”', passed: true, value: 'Head of Sales' },
          { text: 'Country is “France” or “Spain”', passed: false, value: 'Germany' },
          { text: 'Number of employees is at least 50', passed: false, value: '12' },
          { text: 'Comment is unknown', passed: true, value: null },
        ],
      },
    ])
  })

  it('says why it has not gone to a webhook: none is set, it was captured before, it goes only when pushed, it does not fit', async () => {
    const { team, author, detail } = await captured()
    expect(inText((await detail()).whyNotDelivered)).toEqual([
      'The source has no webhook address. Set one, then push the lead.',
    ])
    const inbox = await world.inbox()
    await ok(team.put(`/profile/${author}/webhook`, { webhookUrl: inbox.url, autoSend: false, icpOnly: true }))
    await ok(
      team.put(`/profile/${author}/icp`, { rules: [{ column: 'country', operator: 'equals', value: 'France' }] }),
    )
    expect(inText((await detail()).whyNotDelivered)).toEqual([
      expect.stringContaining('before the webhook address was set'),
      expect.stringContaining('switched off'),
      expect.stringContaining('does not fit'),
    ])
    await ok(team.del(`/profile/${author}`))
    const [lead] = (await ok(team.get('/leads?includeInactive=true'))).leads
    expect(lead.webhookStatus).toBe('no_webhook')
  })

  it('shows a delivery that failed with its next attempt, then nothing to explain once it has gone', async () => {
    const inbox = await world.inbox()
    inbox.answer(500)
    const { sourceId, author, detail } = await captured({}, { webhookUrl: inbox.url })
    const failing = await detail()
    expect(failing.deliveries).toEqual([
      {
        id: expect.any(String),
        ownerId: sourceId,
        ownerLabel: nameOfPerson(world, author),
        event: 'lead.detected',
        state: 'pending',
        attempts: 1,
        lastStatus: 500,
        nextAttemptAt: expect.any(String),
        finishedAt: null,
      },
    ])
    expect(inText(failing.whyNotDelivered)).toEqual([
      expect.stringMatching(/^It failed once, last with answer 500. The next try is at 2026-11-21 \d\d:00 UTC/),
    ])
    inbox.answer(200)
    await world.advance('10s')
    const gone = await detail()
    expect(gone.deliveries[0]).toMatchObject({
      state: 'sent',
      attempts: 2,
      lastStatus: 200,
      nextAttemptAt: null,
      finishedAt: (await world.now()).toISOString(),
    })
    expect(gone.whyNotDelivered).toEqual([])
  })

  it('is 404 for a raw lead, another team’s, an unknown and a malformed id; raw engagements are not shown [DSH-05, RAW-01]', async () => {
    const { team, viewer, fan } = await stage()
    const [raw, full] = [world.handle('author'), world.handle('author')]
    world.network.seedPost({ author: raw, text: 'raw post', reactions: [{ person: fan }] })
    world.network.seedPost({ author: full, text: 'full post', reactions: [{ person: fan }] })
    const rawSource = await track(team, raw, { enrichLeads: false })
    const fullSource = await track(team, full)
    await world.drain()
    const [rawLead] = (await ok(team.get(`/leads/raw?profileId=${rawSource}`))).leads
    const [lead] = await leadsOf(team, fullSource)
    const body = await ok(viewer.get(`/leads/${lead.id}`))
    expect([body.engagementCount, body.engagements.map((each: { postText: string }) => each.postText)]).toEqual([
      1,
      ['full post'],
    ])
    const stranger = await memberOf(world, await world.team(), 'owner')
    for (const asked of [
      viewer.get(`/leads/${rawLead.id}`),
      stranger.get(`/leads/${lead.id}`),
      viewer.get('/leads/00000000-0000-4000-8000-000000000000'),
      viewer.get('/leads/nonsense'),
    ]) {
      const { status, body: refused } = await asked
      expect([status, refused.error]).toEqual([404, 'Lead not found'])
    }
  })
})
