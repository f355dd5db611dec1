/** Seeded histories of the core with crashes, sleepers and races: money and leads are right, and all work ends. */
import { describe, expect, inject, it, vi } from 'vitest'
import { amount, long } from '../world/amount.ts'
import { openInfrastructure } from './infrastructure.ts'
import { report, simulate, type Outcome } from './history.ts'

/** A number of histories, not a time limit, so that a busy machine checks as many. */
const wanted = Number(process.env.LES_SIMULATION_SEEDS ?? amount(8, 200, 4))
const lanes = 3
const firstSeed = Number(process.env.LES_SIMULATION_FROM ?? 1)

/** The theme depends on the seed. The usual run affords few long histories, so most of its are about tracking. */
const briefly = (seed: number): Parameters<typeof simulate>[2] =>
  long ? {} : seed % 4 === 0 ? { theme: 'everything', steps: 10 } : { theme: seed % 8 === 2 ? 'privacy' : 'tracking' }

// Two hundred took more than 600 s on a busy machine with two cores.
vi.setConfig({ testTimeout: amount(600_000, 2_400_000) })

describe('a seeded history', () => {
  it('charges, stores and delivers exactly what it must, and ends [T-L1, T-L2, T-J1, T-D1]', async () => {
    const began = performance.now()
    const failed: Outcome[] = []
    let ran = 0
    let worked = 0
    let crashes = 0
    let next = firstSeed
    const lane = async (number: number): Promise<void> => {
      const infrastructure = await openInfrastructure(inject('postgres'), `les_sim_${process.pid}_${number}`)
      while (next < firstSeed + wanted && failed.length === 0) {
        const seed = next++
        const outcome = await simulate(infrastructure, seed, briefly(seed))
        ran += 1
        worked += outcome.counts.worked
        crashes += outcome.counts.crashes
        if (outcome.failure !== null) failed.push(outcome)
      }
      await infrastructure.close()
    }
    await Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)))
    console.log(
      `simulation: ${ran} seeds from ${firstSeed}, ${worked} units of work, ${crashes} ` +
        `crashes, ${((performance.now() - began) / 1000).toFixed(1)} s`,
    )
    expect(failed.map((outcome) => report(outcome)).join('\n\n')).toBe('')
    expect(ran).toBe(wanted)
    expect(crashes).toBeGreaterThan(0)
  })
})
