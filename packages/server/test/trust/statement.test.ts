/** The month's statement adds up to the credits, over HTTP and from the command line (LDG-05). */
import { describe, expect, it } from 'vitest'
import { useWorld, drainOnlyUnlessLongRun, type Team } from '../world/world.ts'
import { lesRun } from './les.ts'
import { likes, people, sourceOf, sweep } from '../scenarios/sync-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

async function statementOf(team: Team, month: string) {
  const { status, body, text } = await team.get(`/credits/statement?month=${month}`)
  expect(status, text).toBe(200)
  const charges = body.charges.reduce((sum: number, { credits }: { credits: number }) => sum + credits, 0)
  expect(body.opening + body.grants + charges + body.refunds + body.lapse).toBe(body.closing)
  return body
}

const monthOf = (instant: Date): string => instant.toISOString().slice(0, 7)

/** A team charged for a source and for reading posts, with one charge given back. */
async function spender() {
  const [team, author] = [await world.team({ credits: 100 }), world.handle('author')]
  world.network.seedPost({ author, reactions: likes(people(world, 7)), comments: [] })
  await sweep(world, team, author)
  expect((await team.get(`/profile/${author}/posts?posts=1&confirmSpend=true`)).status).toBe(200)
  const { entries } = (await team.get('/credits/ledger?kind=charge&limit=1')).body
  expect((await team.post('/credits/disputes', { entryId: entries[0].id, reason: 'duplicate' })).status).toBe(201)
  return { team, author, source: await sourceOf(team, author) }
}

describe('a statement', () => {
  it('says what a month began with, what changed it, and ends with the balance [LDG-05]', async () => {
    const { team, author, source } = await spender()
    const month = monthOf(await world.now())
    expect(await statementOf(team, month)).toEqual({
      month,
      opening: 0,
      grants: 100,
      charges: [
        { sourceId: source.id, label: author, credits: -7 },
        { sourceId: null, label: 'Posts read on request', credits: -1 },
      ],
      refunds: 1,
      lapse: 0,
      closing: 93,
    })
    expect(await team.balance()).toBe(93)
  })

  it('of the next month begins where it ended, with what lapsed and what was granted anew [LDG-05]', async () => {
    const { team } = await spender()
    const first = await world.now()
    await team.del(`/sources/${(await team.get('/sources')).body.sources[0].id}`)
    await world.advance('32d')
    const [before, after] = [
      await statementOf(team, monthOf(first)),
      await statementOf(team, monthOf(await world.now())),
    ]
    // The rest of the allowance lapses; the refund stays, like a top-up.
    expect(after).toMatchObject({
      opening: before.closing,
      grants: 100,
      charges: [],
      refunds: 0,
      lapse: -92,
      closing: 101,
    })
    expect(await team.balance()).toBe(101)
  })

  it('is a table for format=csv, and les writes the same [LDG-05]', async () => {
    const { team, author, source } = await spender()
    const month = monthOf(await world.now())
    const { status, headers, text } = await team.get(`/credits/statement?month=${month}&format=csv`)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present'])
    const lines = [
      'section,sourceId,label,credits',
      'opening,,Opening balance,0',
      'grants,,Grants,100',
      `charges,${source.id},${author},-7`,
      'charges,,Posts read on request,-1',
      'refunds,,Refunds,1',
      'lapse,,Lapse,0',
      'closing,,Closing balance,93',
    ]
    expect(text).toBe(lines.map((line) => `${line}\r\n`).join(''))
    const ran = await lesRun(world, team, ['credits', 'statement', '--month', month, '--format', 'csv'])
    expect([ran.code, ran.stdout]).toEqual([0, text])
  })

  it('of a month before the team was made is empty, of what is no month refused [LDG-05]', async () => {
    const team = await world.team()
    expect(await statementOf(team, '2001-02')).toMatchObject({ opening: 0, grants: 0, charges: [], closing: 0 })
    const wrong = ['2026-13', '2026-1', '2026-11-01', '0000-01', '', '2026-11&format=xml', '2999-01']
    for (const month of wrong) expect((await team.get(`/credits/statement?month=${month}`)).status, month).toBe(400)
  })
})
