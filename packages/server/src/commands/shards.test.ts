import { describe, expect, it } from 'vitest'
import { readShardsWords, runShardsCommand } from './shards.ts'

describe('les-server shards', () => {
  it('takes words as they are meant, and nothing else', () => {
    expect(readShardsWords(['list'])).toEqual({ verb: 'list' })
    expect(readShardsWords(['add'])).toEqual({ verb: 'add' })
    expect(readShardsWords(['move', 'AB', 'les_1'])).toEqual({ verb: 'move', teamId: 'ab', to: 'les_1', dryRun: false })
    expect(readShardsWords(['move', 'ab', 'les_1', '--dry-run'])).toMatchObject({ verb: 'move', dryRun: true })
    expect(readShardsWords(['move', 'ab', '--undo'])).toEqual({ verb: 'undo', teamId: 'ab' })
    expect(readShardsWords(['rebalance'])).toEqual({ verb: 'rebalance', by: 'teams', yes: false })
    expect(readShardsWords(['rebalance', '--by', 'rows', '--yes'])).toEqual({
      verb: 'rebalance',
      by: 'rows',
      yes: true,
    })
    const node = { host: 'db-4.internal', port: 5432 }
    expect(readShardsWords(['add', '--node', 'db-4.internal:5432'])).toEqual({ verb: 'add node', node })
    expect(readShardsWords(['move', 'les_3', 'db-4.internal:5432'])).toEqual({
      verb: 'move shard',
      shard: 'les_3',
      node,
    })
    for (const words of [
      ['add', '--node', 'db-4'],
      ['list', '--node', 'db-4:5432'],
      ['move', 'les_3', 'les_2'],
      ['move', 'les_3', 'db-4.internal:5432', '--dry-run'],
      ['list', '--yes'],
      ['add', '--dry-run'],
      ['rebalance', '--dry-run'],
      [],
      ['move'],
      ['move', 'ab'],
      ['move', 'ab', 'les_1', '--undo'],
      ['move', 'ab', 'les_1', 'les_2'],
      ['list', 'all'],
      ['rebalance', '--by', 'weight'],
      ['drop', 'les_1'],
      ['list', '--all'],
    ])
      expect(() => readShardsWords(words)).toThrow('les-server shards list')
  })

  it('tells its usage, and 2 for words that make no sense', async () => {
    const told: string[] = []
    const write = { out: (text: string) => told.push(text), err: (text: string) => told.push(text) }
    expect(await runShardsCommand(['--help'], write)).toBe(0)
    expect(await runShardsCommand(['mov'], write)).toBe(2)
    expect(told).toEqual([expect.stringContaining('shards move'), expect.stringContaining('shards move')])
  })
})
