/** The main job, end to end: track a person, capture, charge, enrich, deliver. */
import { describe, expect, it } from 'vitest'
import { preparedAsInService } from '../world/amount.ts'
import { collectStatements, statementsAsked, statementsOfNoTeam } from '../world/statements.ts'
import { useWorld } from '../world/world.ts'
import { signatureOf } from './webhook-stage.ts'

collectStatements()
const world = useWorld({ overrides: preparedAsInService })

describe('the main job', () => {
  it('people who engage arrive as enriched leads over the API and at the webhook, each charged once [CRD-13, SYN-02, WHK-08, WHK-13, ENR-10]', async () => {
    const team = await world.team({ credits: 1_000 })
    const inbox = await world.inbox()
    const author = world.handle('author')
    const [ann, ben, cat] = [world.handle('ann'), world.handle('ben'), world.handle('cat')]
    world.network.seedPerson({ handle: ann, name: 'Ann Example', title: 'Head of Growth', country: 'DE' })
    world.network.seedPost({
      author,
      reactions: [{ person: ann }, { person: ben }],
      comments: [
        { person: cat, text: 'Great' },
        { person: ann, text: 'Yes' },
      ],
    })
    world.network.hold()
    const tracked = await team.post('/enrich/profile', { username: author, saveTrackedProfile: true })
    expect(tracked.status).toBe(200)
    await team.put(`/profile/${author}/webhook`, { webhookUrl: inbox.url })
    world.network.release()
    await world.drain()

    const { body } = await team.get(`/leads?username=${author}`)
    expect(
      body.leads.map((lead: Record<string, string>) => `${lead.engagementType} ${lead.enrichmentStatus}`).sort(),
    ).toEqual(['Comment completed', 'Comment completed', 'Like completed', 'Like completed'])
    expect(body.leads.filter((lead: { name: string }) => lead.name === 'Ann Example')).toHaveLength(2)
    expect(await team.balance()).toBe(997)
    expect(inbox.received).toHaveLength(4)
    for (const received of inbox.received)
      expect(received.headers['x-service-signature']).toBe(signatureOf(team.signingSecret, received))
  })
})

it('what the main job asks of the database names the team, or is on the short list of what looks over all of them', () => {
  expect(statementsAsked().length).toBeGreaterThan(50)
  expect(statementsOfNoTeam()).toEqual([])
})
