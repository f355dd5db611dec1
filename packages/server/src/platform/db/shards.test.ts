import { AsyncLocalStorage } from 'node:async_hooks'
import { describe, expect, it } from 'vitest'
import { currentShard, currentTeam, inShard, oneEachShard, workingFor } from './shards.ts'

describe('what each shard has one of', () => {
  it('is made once a shard, and keeps nothing of the team or the surroundings of the caller who came first', () => {
    const surroundings = new AsyncLocalStorage<string>()
    let made = 0
    const look = oneEachShard(() => {
      made += 1
      const asMade = AsyncLocalStorage.snapshot()
      return () => asMade(() => [currentShard(), currentTeam(), surroundings.getStore()])
    })
    const askFor = (shard: string, team: string) =>
      surroundings.run('of a caller', () => inShard(shard, () => workingFor(team, () => look())))
    expect(askFor('les_0', 'first')).toEqual(['les_0', undefined, undefined])
    expect(askFor('les_0', 'second')).toEqual(['les_0', undefined, undefined])
    expect(askFor('les_1', 'first')).toEqual(['les_1', undefined, undefined])
    expect(made).toBe(2)
  })
})
