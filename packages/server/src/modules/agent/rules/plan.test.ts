import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clampDaily, splitPlan, splitTrialPlan } from './plan.ts'

describe('the plan of an agent', () => {
  it.each([
    [100, 3, { people: 2, perTopic: 16, total: 98 }],
    [20_000, 20, { people: 60, perTopic: 925, total: 20_000 }],
    [50, 1, { people: 1, perTopic: 25, total: 50 }],
    [50, 20, { people: 1, perTopic: 1, total: 45 }],
    [99, 2, { people: 1, perTopic: 37, total: 99 }],
    [3_000, 1, { people: 60, perTopic: 1_500, total: 3_000 }],
  ])('splits %i credits over %i topics into %o [AGT-42]', (credits, topics, plan) => {
    expect(splitPlan(credits, topics)).toEqual(plan)
  })
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
  it('of a free trial is the split of 1,000 with at most 20 people [AGT-43]', () => {
    expect(splitTrialPlan(1)).toEqual({ people: 20, perTopic: 500, total: 1_000 })
    expect(splitTrialPlan(3)).toEqual({ people: 20, perTopic: 166, total: 998 })
  })
  it('takes any limit into its bounds [AGT-11]', () => {
    expect([-5, 1, 50, 777, 20_000, 99_999].map(clampDaily)).toEqual([50, 50, 50, 777, 20_000, 20_000])
  })
})
