/** The simulation finds each planted bug within a bounded number of seeds, which shows what it can detect (T-D1). */
import { afterAll, describe, expect, inject, it } from 'vitest'
import { amount, long } from '../world/amount.ts'
import { findPlant, plants } from './plants.ts'

const mostSeeds = 300
// The usual run plants the quickly found ones; the long run all except those left to `npm run simulate:plants`.
const planted = plants.filter((plant) => (long ? !plant.rare : plant.quick))

describe('the simulation finds', () => {
  const found: string[] = []
  afterAll(() => {
    console.log(found.join('\n'))
  })

  it.concurrent.each(planted.map((plant, number) => [plant.name, plant, number] as const))(
    '%s',
    async (_name, plant, number) => {
      const { seed, said, fits } = await findPlant(
        inject('postgres'),
        `les_plant_${process.pid}_${number}`,
        plant,
        mostSeeds,
      )
      found.push(
        `${said === null ? 'NOT FOUND' : `seed ${seed}`}: ${plant.name}: ${(said ?? '').split('\n', 1).join('').slice(0, 110)}`,
      )
      expect(said, `not found within ${mostSeeds} seeds`).not.toBeNull()
      expect(fits, said ?? '').toBe(true)
    },
    // Five plants run up to 300 seeds at once, which can take more than seven minutes on a busy machine.
    amount(400_000, 2_400_000),
  )
})
