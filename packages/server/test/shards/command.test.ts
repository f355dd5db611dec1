import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readShardsWords, runShards } from '../../src/commands/shards.ts'
import { capture } from '../scenarios/outreach-stage.ts'
import { useWorld } from '../world/world.ts'
import { contentsOf, openMover, otherShard, type Mover } from './stage.ts'

const world = useWorld({ config: { shards: 2 } })
let mover: Mover
beforeAll(() => {
  mover = openMover(world)
})
afterAll(() => mover.close())

async function say(...words: string[]): Promise<string> {
  const said: string[] = []
  await runShards(mover.parts, readShardsWords(words), (text) => said.push(text))
  return said.join('')
}

describe('shards', () => {
  it('list: what each holds; move --dry-run: what would go; move: it goes', async () => {
    const team = await world.team({ credits: 100 })
    await capture(world, team, [{}, {}])
    const [from, to] = [await world.shardOf(team), await otherShard(world, team)]
    expect(await say('list')).toMatch(/^les_0 +answers +[\d,]+ teams, about [\d,]+ rows, \d+ MB\nles_1 +answers/)
    const foreseen = await say('move', team.id, to, '--dry-run')
    expect(foreseen).toContain(`would go from ${from} to ${to}`)
    expect(foreseen).toMatch(/ {2}lead +2\n/)
    expect([await world.shardOf(team), await contentsOf(world, team.id, to)]).toEqual([from, {}])
    expect(await say('move', team.id.toUpperCase(), to)).toContain('Done.')
    expect(await world.shardOf(team)).toBe(to)
    expect(await say('list')).toContain(`${team.id}  ${from} -> ${to}  works in ${to}`)
    await mover.clean()
    expect(await say('list')).not.toContain('On their way')
  })

  it('refuse in words that say what to do', async () => {
    const team = await world.team()
    const from = await world.shardOf(team)
    await expect(say('move', team.id, 'les_7')).rejects.toThrow('there is no shard les_7: there are les_0, les_1')
    await expect(say('move', team.id, from)).rejects.toThrow(`the team is in ${from} already`)
    await expect(say('move', '00000000-0000-4000-8000-000000000000', 'les_1')).rejects.toThrow('there is no team')
    await expect(say('move', 'acme', 'les_1')).rejects.toThrow('there is no team acme')
    await expect(say('move', 'les_0', 'db-4:5432')).rejects.toThrow('the database has no extension Citus')
    await expect(say('add', '--node', 'db-4:5432')).rejects.toThrow('the database has no extension Citus')
    await expect(say('move', team.id, '--undo')).rejects.toThrow(`no move of the team is under way: it is in ${from}`)
  })

  it('rebalance: proposes, and with --yes makes the moves that spread teams evenly', async () => {
    const teams = []
    for (let count = 0; count < 6; count += 1) teams.push(await world.team())
    for (const team of teams) if ((await world.shardOf(team)) === 'les_1') await mover.move(team, 'les_0')
    await mover.clean()
    expect(await say('rebalance')).toMatch(
      /^(?:shards move \S+ les_1 {3}\(from les_0\)\n)+Nothing was moved: add --yes/,
    )
    expect(await say('rebalance', '--yes')).toMatch(/\d teams moved\.\n$/)
    expect(await say('rebalance')).toBe('Teams are spread as evenly as moves of whole teams can.\n')
    await mover.clean()
  })

  it('add: one more, to which teams can be moved at once', async () => {
    expect(await say('add')).toMatch(/^There is a shard les_2 now\. Restart the processes/)
    const team = await world.team({ credits: 100 })
    await capture(world, team, [{}])
    const from = await world.shardOf(team)
    await say('move', team.id, 'les_2')
    expect((await team.get('/leads')).body.leads).toHaveLength(1)
    await say('move', team.id, from)
    await mover.clean()
    expect(await team.balance()).toBe(99)
  })
})
