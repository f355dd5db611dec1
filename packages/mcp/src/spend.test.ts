import { describe, expect, it } from 'vitest'
import { asksToSpend, canAsk, canonical, costsOf, questionsInMemory, quote } from './spend.ts'

describe('a question before spending', () => {
  it.each([
    [undefined, false],
    [{}, false],
    [{ elicitation: {} }, true],
    [{ elicitation: { form: {} } }, true],
    [{ elicitation: { url: {} } }, false],
    [{ elicitation: { form: {}, url: {} } }, true],
  ])('a client with %j can show a form: %s', (capabilities, can) => expect(canAsk(capabilities)).toBe(can))

  it('is asked for one refusal alone', () => {
    expect(asksToSpend({ status: 409, body: { code: 'spend_confirmation_required' } })).toBe(true)
    expect(asksToSpend({ status: 409, body: { code: 'settings_conflict' } })).toBe(false)
    expect(asksToSpend({ status: 200, body: { code: 'spend_confirmation_required' } })).toBe(false)
  })

  it('quotes the figures it was given, a zero too', () => {
    expect(quote({ estimatedDailyMax: 100, remainingBalance: 40, daysToExhaustAtCap: 0 })).toBe(
      'This can cost up to 100 credits a day; balance 40 credits; at that rate it lasts 0 days',
    )
    expect(quote({ estimatedCredits: 5 })).toBe('This can cost up to 5 credits once')
    expect(quote({ estimatedDailyMax: 200, discoverCost: 100, remainingBalance: 900 })).toBe(
      'This can cost up to 200 credits a day; up to 100 credits once for the search for people; balance 900 credits',
    )
    expect(quote({})).toBe('This creates or raises a charge')
  })

  it('in memory: a yes counts once, for exactly what was asked, in time', async () => {
    let now = 0
    let ids = 0
    const questions = questionsInMemory({ now: () => now, id: () => `q${++ids}` }, 1_000)
    const about = { operationId: 'enrichProfile', input: { username: 'jane', creditCap: 100 } }
    const token = await questions.ask(about, 'five')
    expect(await questions.redeem(token, { ...about, input: { ...about.input, creditCap: 10_000 } })).toBe('other')
    expect(await questions.redeem(token, { ...about, operationId: 'enrichCompany' })).toBe('other')
    expect(await questions.redeem('q9', about)).toBe('other')
    const turned = { ...about, input: { creditCap: 100, username: 'jane' } }
    const yes = await questions.redeem(token, turned)
    expect(typeof yes === 'object' && [yes.holdsFor('five'), yes.holdsFor('six')]).toEqual([true, false])
    expect(await questions.redeem(token, about)).toBe('used')
    const late = await questions.ask(about, 'five')
    now = 1_000
    expect(await questions.redeem(late, about)).toBe('expired')
  })

  it('the costs of a quote are its figures without the balance, in any order', () => {
    const refusal = { error: 'Yes?', code: 'spend_confirmation_required', requestId: 'r', remainingBalance: 40 }
    const costs = costsOf({ ...refusal, estimatedDailyMax: 7, discoverCost: 5 })
    expect(costsOf({ discoverCost: 5, estimatedDailyMax: 7, remainingBalance: 39, daysToExhaustAtCap: 5 })).toBe(costs)
    expect(costsOf({ ...refusal, estimatedDailyMax: 8, discoverCost: 5 })).not.toBe(costs)
    expect(costsOf({ ...refusal, estimatedDailyMax: 7, discoverCost: 6 })).not.toBe(costs)
    expect(costsOf(refusal)).toBe(costsOf({}))
  })

  it('arguments are the same in any order, and no other way', () => {
    const text = (value: unknown) => JSON.stringify(canonical(value))
    expect(text({ a: 1, b: { c: [1, 2], d: undefined } })).toBe(text({ b: { c: [1, 2] }, a: 1 }))
    expect(text({ a: [1, 2] })).not.toBe(text({ a: [2, 1] }))
  })
})
