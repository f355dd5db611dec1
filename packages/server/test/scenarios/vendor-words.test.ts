/** A vendor's failure message reaches the run and the log, cleaned, without the vendor's name or key. */
import { afterEach, describe, expect, it } from 'vitest'
import { keptLog } from '../observability/stage.ts'
import { useWorld, drainOnlyUnlessLongRun } from '../world/world.ts'
import { likes, statusOf, track } from './sync-stage.ts'

const kept = keptLog()
const world = useWorld({ config: drainOnlyUnlessLongRun, log: kept.log })
afterEach(() => world.network.clearFaults())

describe('a run that the network failed', () => {
  it('tells whose trouble it was and what the vendor said; so does the log of every call [G121, SYN-20]', async () => {
    const team = await world.team({ credits: 100 })
    const author = world.handle('author')
    world.network.seedPost({ author, reactions: likes([world.handle('fan')]) })
    for (const operation of ['profile-posts', 'posts/all'])
      world.network.fault({ kind: 'status', status: 402, operation })
    await track(team, author)
    await world.drain()
    // A refusal of one request is retried; an account that is refused as a whole is held (vendor-outage).
    for (let tries = 0; tries < 4; tries += 1) await world.advance('21m')
    const status = await statusOf(team, author)
    expect(status).toMatchObject({ state: 'failed', errorCode: 'provider_error' })
    expect(status.error).toContain('The network account of this service is out of credit: its ')
    expect(status.error).toContain('operator has to top it up; it said: "The request failed"')
    const calls = kept
      .lines()
      .filter(
        ({ msg, provider, operation }: Record<string, unknown>) =>
          msg === 'vendor call' && provider === 'harvestapi' && operation === 'posts',
      )
    expect(calls.at(-1)).toMatchObject({ outcome: 'account', status: 402, vendorMessage: 'The request failed' })
  })
})
