import { afterEach, describe, expect, it } from 'vitest'
import { useWorld } from '../world/world.ts'
import { likes, people, sweep, track } from '../scenarios/sync-stage.ts'
import { keptLog } from './stage.ts'

const kept = keptLog()
const world = useWorld({ log: kept.log })
afterEach(() => kept.clear())

describe('log lines', () => {
  it('about calls of vendors carry team and run in a sync, team in enrichment', async () => {
    const team = await world.team({ credits: 100 })
    const author = world.handle('author')
    world.network.seedPost({ author, reactions: likes(people(world, 2)) })
    await sweep(world, team, author)
    const { rows } = await world.database.pool.query<{ id: string }>('select id from sync where team_id = $1', [
      team.id,
    ])
    const calls = kept.lines().filter(({ msg, kind }) => msg === 'vendor call' && kind !== undefined)
    const of = (kind: string) => calls.filter((line) => line.kind === kind)
    expect(of('capture').length).toBeGreaterThan(1)
    expect(
      of('capture').every(
        (line) => line.teamId === team.id && line.runId === rows[0]!.id && typeof line.sourceId === 'string',
      ),
    ).toBe(true)
    expect(of('enrichment').length).toBeGreaterThan(1)
    expect(of('enrichment').every((line) => line.teamId === team.id)).toBe(true)
  })

  it('of a request carry its id, its team and its operation; every write has one of its own', async () => {
    const team = await world.team({ credits: 100 })
    const author = world.handle('author')
    world.network.seedPost({ author })
    const answer = await team.post(
      '/enrich/profile',
      { username: author, saveTrackedProfile: true },
      { headers: { 'x-request-id': 'req-of-the-test' } },
    )
    expect(answer.headers.get('x-request-id')).toBe('req-of-the-test')
    expect(
      kept.lines().find(({ msg, requestId }) => msg === 'request' && requestId === 'req-of-the-test'),
    ).toMatchObject({
      surface: 'api',
      operation: 'enrichProfile',
      method: 'POST',
      status: answer.status,
      teamId: team.id,
    })
    await team.get('/credits', { headers: { 'x-request-id': 'read-of-the-test' } })
    expect(kept.lines().filter(({ requestId }) => requestId === 'read-of-the-test')).toEqual([])
  })

  it('of two pieces of work at once do not mix', async () => {
    const teams = await Promise.all([
      world.team({ credits: 50 }),
      world.team({ credits: 50 }),
      world.team({ credits: 50 }),
    ])
    await Promise.all(
      teams.map(async (team, index) => {
        const author = world.handle('author')
        world.network.seedPost({ author, reactions: likes(people(world, 2 + index)) })
        await track(team, author)
      }),
    )
    await world.drain()
    const { rows } = await world.database.pool.query<{ id: string; team_id: string }>(
      'select id, team_id from sync where team_id = any($1)',
      [teams.map(({ id }) => id)],
    )
    const owner = new Map(rows.map(({ id, team_id }) => [id, team_id]))
    const ofRuns = kept.lines().filter(({ runId }) => owner.has(String(runId)))
    expect(new Set(ofRuns.map(({ runId }) => runId)).size).toBe(3)
    expect(ofRuns.every(({ runId, teamId }) => owner.get(String(runId)) === teamId)).toBe(true)
  })
})
