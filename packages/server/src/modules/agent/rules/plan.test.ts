import fc from 'fast-check'
import { describe, it } from 'vitest'
import { splitPlan } from './plan.ts'

describe('the plan of an agent', () => {
  it('never comes to more than the limit, watches at most 60 people and pays every topic [AGT-42]', () => {
    fc.assert(
      fc.property(fc.integer({ min: 50, max: 20_000 }), fc.integer({ min: 1, max: 20 }), (credits, topics) => {
        const plan = splitPlan(credits, topics)
        return (
          plan.total <= credits &&
          plan.total > credits - topics &&
          plan.people <= 60 &&
          plan.perTopic >= 1 &&
          plan.total === plan.perTopic * topics + plan.people * 25
        )
      }),
    )
  })
})
