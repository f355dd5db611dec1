/** Files of leads, made in the background. */
import { describe, expect, it } from 'vitest'
import { capture, fans } from '../scenarios/outreach-stage.ts'
import { useWorld, workedByDrain, type Team } from '../world/world.ts'

const world = useWorld({ config: workedByDrain })

async function exported(
  team: Team,
  body: Record<string, unknown>,
): Promise<{ lines: string[]; answer: Record<string, any>; text: string }> {
  const begun = await team.post('/exports', body)
  expect([begun.status, begun.body.state, begun.body.url]).toEqual([200, 'running', null])
  await world.drain()
  const { body: answer } = await team.get(`/exports/${begun.body.id}`)
  expect(answer).toMatchObject({ state: 'done', url: expect.stringContaining('/exports/') })
  const file = await fetch(answer.url)
  expect(file.status).toBe(200)
  const text = await file.text()
  return { answer, text, lines: text.trim().split(/\r?\n/) }
}

describe('an export', () => {
  it('holds all leads that pass, behind an address that needs no key, until 24 hours later [DST-17]', async () => {
    const team = await world.team()
    await capture(world, team, [{ title: '=IMPORTXML("http://x")' }, { title: 'Head of Growth' }])
    const { lines, answer, text } = await exported(team, { format: 'csv' })
    expect(lines).toHaveLength(3)
    expect(answer.rows).toBe(2)
    // What a spreadsheet would calculate is text.
    expect(text).not.toMatch(/(?:^|,)"?=IMPORTXML/m)
    const filters = [{ column: 'jobTitle', operator: 'contains', value: 'Growth' }]
    const narrowed = await exported(team, { format: 'jsonl', filters })
    expect(narrowed.lines.map((line) => JSON.parse(line))).toMatchObject([{ jobTitle: 'Head of Growth' }])
    expect(
      (await fetch(answer.url.replace(/.\/leads/, (found: string) => (found[0] === 'A' ? 'B/leads' : 'A/leads'))))
        .status,
    ).toBe(404)
    await world.advance('25h')
    expect((await fetch(answer.url)).status).toBe(404)
    expect((await team.get(`/exports/${answer.id}`)).status).toBe(404)
  })

  it.each([
    ['hubspot', 'LinkedIn URL'],
    ['heyreach', 'profileUrl'],
    ['instantly', 'linkedin'],
    ['smartlead', 'linkedin_profile'],
    ['clay', 'LinkedIn Profile'],
    ['apollo', 'Person Linkedin Url'],
  ])('for %s has a row a person in the columns of its importer [DST-17]', async (preset, column) => {
    const team = await world.team()
    const username = world.handle('author')
    const fan = world.handle('fan')
    await capture(world, team, [{ handle: fan, name: 'Ada Example' }], { username })
    await capture(world, team, [{ handle: fan, comment: 'Again' }])
    const { lines } = await exported(team, { format: 'csv', preset })
    expect(lines).toHaveLength(2)
    expect(lines[0]!.replace('\uFEFF', '').split(',')).toContain(column)
    expect(lines[1]).toContain(fan)
  })

  it('goes on where a dead process left it, without a row twice [DST-17]', async () => {
    const team = await world.team()
    await capture(world, team, fans(3))
    await world.arm('export.written')
    const { id } = (await team.post('/exports', { format: 'csv' })).body
    await world.drain().catch(() => undefined)
    await world.database.pool.query('update lead_export set lease_until_ms = 0 where lease_until_ms is not null')
    await world.drain()
    const { body } = await team.get(`/exports/${id}`)
    expect(body).toMatchObject({ state: 'done', rows: 3 })
    const lines = (await (await fetch(body.url)).text()).trim().split('\r\n')
    expect([lines.length, new Set(lines).size]).toEqual([4, 4])
  })

  it('is refused with words about the field, and seen by its own team alone [DST-17]', async () => {
    const [team, stranger] = [await world.team(), await world.team()]
    for (const body of [{}, { format: 'xls' }, { format: 'csv', preset: 'fax' }, { format: 'csv', colour: 'red' }])
      expect((await team.post('/exports', body)).status).toBe(400)
    const { id } = (await team.post('/exports', { format: 'csv' })).body
    expect((await stranger.get(`/exports/${id}`)).status).toBe(404)
  })
})
