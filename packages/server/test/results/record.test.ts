/** Results that callers record, and how they show on leads. */
import { describe, expect, it } from 'vitest'
import { refusal } from '../scenarios/outreach-stage.ts'
import { useWorld, drainOnlyUnlessLongRun } from '../world/world.ts'
import { capture, ok, record, resultsOf, urlOf } from './stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })
const nothing = { last: null, lastAt: null, replied: false, meeting: false, won: false }

/** A team with two people captured from a source. */
async function captured() {
  const team = await world.team()
  const fan = world.handle('fan')
  const first = await capture(world, team, [{ handle: fan }, {}])
  return { team, fan, other: first.handles[1]!, first }
}

describe('a result', () => {
  it('counts once: by its external id, or by person, outcome and instant, however the person is named [RSL-01]', async () => {
    const { team, fan, first } = await captured()
    const urn = world.network.person(fan)!.id
    const at = '2026-11-20T10:00:00Z'
    const leadId = (await ok(team.get(`/leads?profileId=${first.id}&limit=100`))).leads.find(
      (lead: { linkedinUrl: string }) => lead.linkedinUrl === urlOf(fan),
    ).id
    expect(
      await record(
        team,
        { leadId, outcome: 'replied', at },
        { profileUrl: urlOf(fan), outcome: 'replied', at: '2026-11-20T11:00:00+01:00' },
        { profileUrl: `linkedin.com/in/${urn}?x=1`, outcome: 'replied', at },
        { profileUrl: ` @${fan.toUpperCase().replaceAll('-', '%2D')} `, outcome: 'replied', at },
        { profileUrl: urlOf(fan), outcome: 'meeting', at, externalId: 'crm-1' },
        { profileUrl: urlOf(fan), outcome: 'won', at: '2026-11-20T12:00:00Z', externalId: 'crm-1' },
      ),
    ).toEqual({ recorded: 2, duplicates: 4, notFound: [] })
    expect(
      await record(team, { leadId, outcome: 'won', externalId: 'crm-1' }, { leadId, outcome: 'replied', at }),
    ).toEqual({
      recorded: 0,
      duplicates: 2,
      notFound: [],
    })
    // Another time makes it another reply.
    expect(await record(team, { leadId, outcome: 'replied', at: '2026-11-20T10:00:00.001Z' })).toMatchObject({
      recorded: 1,
    })
  })

  it('is the first of two people in one list with the same external id [RSL-01]', async () => {
    const { team, fan, other } = await captured()
    const pair = (id: string, [one, two]: string[]) =>
      record(
        team,
        { profileUrl: urlOf(one!), outcome: 'accepted', externalId: id },
        { profileUrl: urlOf(two!), outcome: 'meeting', externalId: id },
      )
    for (const [id, people] of Object.entries({ a: [fan, other], b: [other, fan] }))
      expect(await pair(id, people)).toEqual({ recorded: 1, duplicates: 1, notFound: [] })
    expect(Object.values(await resultsOf(team)).map(({ last }) => last)).toEqual(['accepted', 'accepted'])
  })

  it('of nobody whom the team has captured or sent is named by its place, and the others are recorded [RSL-01]', async () => {
    const { team, fan } = await captured()
    const theirs = await captured()
    expect(
      await record(
        team,
        { profileUrl: urlOf(world.handle('stranger')), outcome: 'replied' },
        { profileUrl: urlOf(fan), outcome: 'replied' },
        { leadId: theirs.first.leadIds[0]!, outcome: 'replied' },
        { profileUrl: urlOf(theirs.other), outcome: 'replied' },
        { profileUrl: 'https://www.linkedin.com/company/acme', outcome: 'replied' },
        { profileUrl: 'somewhere else', outcome: 'replied' },
      ),
    ).toEqual({ recorded: 1, duplicates: 0, notFound: [0, 2, 3, 4, 5] })
    expect(Object.values(await resultsOf(theirs.team))).toEqual([nothing, nothing, nothing].slice(0, 2))
  })

  it('that is not as described refuses its whole list [RSL-01]', async () => {
    const { team, fan } = await captured()
    const good = { profileUrl: urlOf(fan), outcome: 'won' }
    const wrong: [result: object, code?: string | undefined][] = [
      [{ profileUrl: 'x', outcome: 'won', value: 1 }, 'unknown_field'],
      [{ profileUrl: 'x', outcme: 'won' }, 'unknown_field'],
      [{ profileUrl: 'x', outcome: 'opened' }],
      [{ outcome: 'won' }],
      [{ profileUrl: 'x', leadId: crypto.randomUUID(), outcome: 'won' }],
      [{ profileUrl: 'x', outcome: 'won', currency: 'euro' }],
      [{ profileUrl: 'x', outcome: 'won', amount: -1 }],
      [{ profileUrl: 'x', outcome: 'won', at: 'soon' }],
    ]
    const bodies: [body: object, code?: string | undefined][] = [
      ...wrong.map(([result, code]): [object, string | undefined] => [{ results: [good, result] }, code]),
      [{ results: [good], source: 'crm' }, 'unknown_field'],
      [{}],
      [{ results: [] }],
      [{ results: Array(1_001).fill(good) }],
    ]
    for (const [body, code] of bodies) {
      const { status, body: answer } = await team.post('/results', body)
      expect([status, answer.code], JSON.stringify(body).slice(0, 100)).toEqual([400, code])
    }
    expect(Object.values(await resultsOf(team))).not.toContainEqual(expect.objectContaining({ won: true }))
  })

  it('shows on every lead row of the person, the latest first, and on nobody else [RSL-03]', async () => {
    const { team, fan, other, first } = await captured()
    const second = await capture(world, team, [{ handle: fan }])
    expect(await resultsOf(team)).toMatchObject({ [fan]: nothing, [other]: nothing })
    await record(
      team,
      { profileUrl: urlOf(fan), outcome: 'meeting', at: '2026-11-20T12:00:00Z' },
      { profileUrl: urlOf(fan), outcome: 'replied', at: '2026-11-20T10:00:00Z' },
      { profileUrl: urlOf(fan), outcome: 'lost', at: '2026-11-20T14:30:00Z', note: 'No budget' },
    )
    const shown = { last: 'lost', lastAt: '2026-11-20T14:30:00.000Z', replied: true, meeting: true, won: false }
    for (const source of [first, second]) {
      const { leads } = await ok(team.get(`/leads?profileId=${source.id}`))
      expect(leads.find((lead: { linkedinUrl: string }) => lead.linkedinUrl === urlOf(fan)).results).toEqual(shown)
    }
    expect((await resultsOf(team))[other]).toEqual(nothing)
  })

  it('of a team that is served no more is refused [RSL-01]', async () => {
    const team = await world.team({ status: 'expired' })
    expect(refusal(await team.post('/results', { results: [{ profileUrl: 'x', outcome: 'won' }] }))[0]).toBe(403)
  })
})
