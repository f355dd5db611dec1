/** Bugs planted one at a time: the simulation finds each within a bounded number of seeds, so it is not blind where it matters (T-D1). */
import { afterAll, describe, expect, inject, it } from 'vitest'
import { amount, long } from '../world/amount.ts'
import { findPlant, plants } from './plants.ts'

const mostSeeds = 300
// Every run plants a few that are found soon; the long one plants all but those that only `npm run simulate:plants` is patient enough for.
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
    // Three hundred seeds of five plants at once: a machine that others keep busy needs more than seven minutes for some.
    amount(400_000, 2_400_000),
  )
})
