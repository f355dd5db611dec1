/** The CSV export of leads over HTTP: the filters of `GET /leads`, streamed, safe to open in a spreadsheet, without raw leads. */
import { lead } from '@les/contract'
import { describe, expect, it } from 'vitest'
import { useWorld, type Team, drainOnlyUnlessLongRun } from '../world/world.ts'
import { exported, readCsv } from './csv.ts'
import { memberOf } from './stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

async function track(team: Team, username: string, settings: Record<string, unknown> = {}): Promise<string> {
  const answer = await team.post('/enrich/profile', { username, saveTrackedProfile: true, ...settings })
  expect([answer.status, answer.body.error ?? null]).toEqual([200, null])
  return (await team.get('/sources')).body.sources.find((source: { username: string }) => source.username === username)
    .id
}

describe('an export', () => {
  it('has a column for every field of a lead, named alike, and the same values as the list [LED-14]', async () => {
    const team = await world.team()
    const viewer = await memberOf(world, team, 'viewer')
    const [author, company, fan] = [world.handle('author'), world.handle('company'), world.handle('fan')]
    world.network.seedCompany({ slug: company, name: 'Comma, "Quote" & Söhne', employees: 120 })
    world.network.seedPerson({ handle: fan, name: 'Frida Fan', title: 'Head of Sales', country: 'DE', company })
    world.network.seedPost({ author, reactions: [], comments: [{ person: fan, text: 'two\nlines, "quoted"' }] })
    const sourceId = await track(team, author)
    await world.drain()
    const [listed] = (await team.get(`/leads?profileId=${sourceId}`)).body.leads
    const answer = await viewer.get(`/leads/export?profileId=${sourceId}`)
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="leads-2026-11-21.csv"')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.text.split('\r\n')[0]).toBe(Object.keys(lead.shape).join(','))
    const [row] = readCsv(answer.text)
    expect(row).toEqual(
      Object.fromEntries(
        Object.keys(lead.shape).map((field) => [field, field === 'results' ? '' : String(listed[field] ?? '')]),
      ),
    )
    expect(row!.commentText).toBe('two\nlines, "quoted"')
  })

  it('holds nothing that a spreadsheet would calculate, in whatever column a stranger wrote it', async () => {
    const team = await world.team()
    const viewer = await memberOf(world, team, 'viewer')
    const author = world.handle('author')
    const hostile = ['=HYPERLINK("http://evil.example","x")', '+1+1', '-1+1', '@SUM(A1)', '\t=1', '＝1+1']
    world.network.seedPost({
      author,
      reactions: [],
      comments: hostile.map((text, at) => {
        const person = world.handle('mallory')
        world.network.seedPerson({ handle: person, name: `${text} ${at}`, title: text, headline: text })
        return { person, text }
      }),
    })
    const sourceId = await track(team, author)
    await world.drain()
    const rows = await exported(viewer, `?profileId=${sourceId}`)
    expect(rows).toHaveLength(hostile.length)
    for (const row of rows) for (const cell of Object.values(row)) expect(cell).not.toMatch(/^[=+\-@\t\r＝＋－＠]/)
    expect(rows.filter(({ jobTitle }) => jobTitle!.startsWith("'=HYPERLINK"))).toHaveLength(1)
  })

  it('never holds a raw lead, whatever is asked for [DSH-05, RAW-01]', async () => {
    const team = await world.team()
    const viewer = await memberOf(world, team, 'viewer')
    const [raw, full] = [world.handle('author'), world.handle('author')]
    world.network.seedPost({ author: raw, reactions: [{ person: world.handle('fan') }] })
    world.network.seedPost({ author: full, reactions: [{ person: world.handle('fan') }] })
    const rawSource = await track(team, raw, { enrichLeads: false })
    await track(team, full)
    await world.drain()
    expect((await team.get('/leads/raw')).body.leads).toHaveLength(1)
    for (const query of [
      '',
      '?includeInactive=true&includeSyncing=true',
      `?username=${raw}`,
      `?profileId=${rawSource}`,
      '?sourceKind=profile',
      '?engagementType=Like',
      '?name=a',
      '?webhookStatus=no_webhook',
    ]) {
      expect((await exported(viewer, query)).filter(({ sourceId }) => sourceId === rawSource)).toEqual([])
    }
    expect(await exported(viewer)).toHaveLength(1)
  })
})
