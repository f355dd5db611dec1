import { ApiError } from '@les/contract'
import { describe, expect, it } from 'vitest'
import { silent } from '../world/tracking.ts'
import { useWorld, type Team } from '../world/world.ts'

const world = useWorld({ config: { roles: ['http'] } })

async function withAuthor(): Promise<{ team: Team; author: string; fan: string }> {
  const [author, fan] = [world.handle('author'), world.handle('fan')]
  world.network.seedPerson({ handle: fan, name: 'Ann Example', title: 'Head of Growth' })
  world.network.seedPost({
    author,
    reactions: [{ person: fan }],
    comments: [{ person: world.handle('other'), text: 'Great' }],
  })
  return { team: await world.team(), author, fan }
}

describe('the typed client', () => {
  it('tracks, polls, reads leads, credits and keys, and untracks with the answers of the API [ENR-01, ENR-03, JOB-02]', async () => {
    const { team, author, fan } = await withAuthor()
    const { client } = team
    const { jobId, syncId, creditCapPerSync } = await client.enrichProfile({
      username: author,
      saveTrackedProfile: true,
      creditCapPerSync: 10,
    })
    expect([creditCapPerSync, (await client.getJobStatus({ jobId })).status]).toEqual([10, 'pending'])
    await world.drain()
    expect(await client.getJobStatus({ jobId })).toMatchObject({ status: 'completed', result: { creditsCharged: 0 } })
    expect(await client.getProfileSync({ username: author })).toMatchObject({
      syncId,
      state: 'completed',
      capture: { creditsSpent: 2 },
    })
    const page = await client.listLeads({ username: author, engagementType: 'Like' })
    expect(page).toMatchObject({ total: 1, leads: [{ name: 'Ann Example', jobTitle: 'Head of Growth' }] })
    expect(await client.getCredits({})).toEqual((await team.get('/credits')).body)
    expect((await client.listKeys({})).keys).toHaveLength(1)
    expect(await client.resolveProfileUrn({ username: fan })).toEqual({
      username: fan,
      entityUrn: world.network.person(fan)!.id,
      creditsCharged: 0,
    })
    expect(await client.untrackProfile({ username: author })).toEqual({
      ok: true,
      username: author,
      profileType: 'person',
      untracked: true,
    })
  })

  it('rejects with the whole refusal: status, code, message and figures [SPD-03, ENR-29]', async () => {
    const team = await world.team({ credits: 40 })
    const refused = await team.client
      .enrichCompany({
        username: silent(world, 'company'),
        saveTrackedProfile: true,
        mode: 'posts_only',
        postsPerSync: 7,
      })
      .catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(ApiError)
    expect(refused).toMatchObject({
      status: 409,
      code: 'spend_confirmation_required',
      body: { estimatedDailyMax: 7, daysToExhaustAtCap: 5, remainingBalance: 40 },
    })
    await expect(team.client.getJobStatus({ jobId: team.id })).rejects.toMatchObject({ status: 404, code: undefined })
  })
})
