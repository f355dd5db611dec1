import { describe, expect, it } from 'vitest'
import { useWorld, drainOnlyUnlessLongRun } from '../world/world.ts'
import { leadsOf, likes, people, resweep, sourceOf, statusOf, sweep, track } from './sync-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

describe('what a sync charges', () => {
  it('again for the same person on another source, a company page included, out of the one balance [CRD-01, CRD-13, CRD-15]', async () => {
    const team = await world.team({ credits: 100 })
    const [author, other, slug, watched, ann] = people(world, 5) as [string, string, string, string, string]
    for (const writer of [author, other, { company: slug }])
      world.network.seedPost({ author: writer, reactions: likes([ann]) })
    world.network.seedPost({ author: watched })
    for (const username of [author, other]) await sweep(world, team, username)
    await sweep(world, team, slug, {}, 'company')
    expect(await team.balance()).toBe(97)
    await sweep(world, team, watched, { mode: 'posts_only', postsPerSync: 3, confirmSpend: true })
    expect(await team.balance()).toBe(96)
  })

  it('nothing for further engagements and later syncs, days later too [CRD-14]', async () => {
    const team = await world.team({ credits: 100 })
    const author = world.handle('author')
    const fans = people(world, 3)
    world.network.seedPost({ author, reactions: likes(fans) })
    await sweep(world, team, author)
    world.network.seedPost({
      author,
      reactions: likes(fans),
      comments: fans.map((person) => ({ person, text: 'Again' })),
    })
    expect((await resweep(world, team, author)).capture).toMatchObject({ creditsSpent: 0, leadRowsCaptured: 6 })
    await world.advance('3d')
    expect([await team.balance(), (await statusOf(team, author)).capture.creditsSpent]).toEqual([97, 0])
  })

  it('nothing for a reaction that was changed: its row follows, none is added [CRD-14]', async () => {
    const team = await world.team({ credits: 100 })
    const author = world.handle('author')
    const [ann] = people(world, 1)
    const { id } = world.network.seedPost({ author, reactions: [{ person: ann!, type: 'LIKE' }] })
    await sweep(world, team, author)
    world.network.seedPost({ id, author, reactions: [{ person: ann!, type: 'PRAISE' }] })
    expect((await resweep(world, team, author)).capture).toMatchObject({
      creditsSpent: 0,
      leadRowsCaptured: 0,
      stoppedBy: 'exhausted',
    })
    const { rows } = await world.database.pool.query('select reaction from lead where team_id = $1', [team.id])
    expect(rows).toEqual([{ reaction: 'Praise' }])
    expect((await leadsOf(team, author)).map((lead) => lead.engagementType)).toEqual(['Like'])
  })

  it('each of two teams for its own of the same person, in raw mode too; raw leads are not listed, stay raw, and are not charged again [CRD-13, CRD-27, CRD-14, CRD-16, CRD-36, ENR-16, TRK-22]', async () => {
    const [raw, enriched] = [await world.team({ credits: 100 }), await world.team({ credits: 100 })]
    const author = world.handle('author')
    const fans = people(world, 3)
    world.network.seedPost({ author, reactions: likes(fans), comments: [{ person: fans[0]!, text: 'Hi' }] })
    const [a, b] = [await sweep(world, raw, author, { enrichLeads: false }), await sweep(world, enriched, author)]
    expect([a.capture, await raw.balance()]).toEqual([b.capture, await enriched.balance()])
    expect((await sourceOf(raw, author)).id).not.toBe((await sourceOf(enriched, author)).id)
    expect([await leadsOf(raw, author), a.enrichment, a.state]).toEqual([
      [],
      { pending: 0, completed: 0, failed: 0, skipped: 0 },
      'completed',
    ])
    await track(raw, author, { enrichLeads: true })
    world.network.seedPost({ author, reactions: likes([fans[0]!, world.handle()]) })
    expect((await resweep(world, raw, author)).capture).toMatchObject({ creditsSpent: 1, leadRowsCaptured: 2 })
    expect((await leadsOf(raw, author)).map((lead) => lead.enrichmentStatus)).toEqual(['completed', 'completed'])
    expect(await raw.balance()).toBe(96)
  })

  it('a post once for a posts-only watch, up to the balance, which then says why it stopped [CRD-17, CRD-18, SYN-14]', async () => {
    const team = await world.team({ credits: 3 })
    const author = world.handle('author')
    for (let at = 0; at < 5; at += 1) world.network.seedPost({ author, reactions: 1 })
    const status = await sweep(world, team, author, { mode: 'posts_only', postsPerSync: 10, confirmSpend: true })
    expect(status).toMatchObject({
      state: 'completed',
      stoppedBy: 'credit_cap',
      errorCode: 'insufficient_enriching_credits',
      capture: { stoppedBy: 'credits', creditsSpent: 3, leadRowsCaptured: 0 },
    })
    expect(await team.balance()).toBe(0)
    await team.change({ grantCredits: 10 })
    expect((await resweep(world, team, author)).capture).toMatchObject({ creditsSpent: 2, stoppedBy: 'exhausted' })
    expect(await team.balance()).toBe(8)
  })

  it('for the team, not for the key that tracked: revoking it changes nothing [CRD-36]', async () => {
    const team = await world.team({ credits: 100 })
    const author = world.handle('author')
    const fans = people(world, 2)
    world.network.seedPost({ author, reactions: likes(fans) })
    const second = (await team.post('/keys', { name: 'second' })).body
    const key = second.apiKey ?? second.key
    await sweep(world, team, author)
    const first = (await team.get('/keys')).body.keys.find((listed: { id: string }) => listed.id !== second.id)
    expect((await team.del(`/keys/${first.id}`, { key })).status).toBe(200)
    expect((await team.get('/credits')).status).toBe(401)
    world.network.seedPost({ author, reactions: likes([...fans, world.handle()]) })
    await world.advance('24h')
    expect((await team.get('/credits', { key })).body.balance).toBe(97)
    expect((await team.get(`/leads?username=${author}`, { key })).body.total).toBe(5)
    expect((await team.get('/sources', { key })).body.total).toBe(1)
  })
})
