import { describe, expect, it } from 'vitest'
import { asksToSpend, canAsk, canonical, questionsInMemory, quote } from './spend.ts'

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
    const state = await questions.ask(about)
    expect(await questions.take(state, { ...about, input: { ...about.input, creditCap: 10_000 } })).toBe('other')
    expect(await questions.take('q9', about)).toBe('other')
    expect(await questions.take(state, { ...about, input: { creditCap: 100, username: 'jane' } })).toBe('yours')
    expect(await questions.take(state, about)).toBe('used')
    const late = await questions.ask(about)
    now = 1_000
    expect(await questions.take(late, about)).toBe('expired')
  })

  it('arguments are the same in any order, and no other way', () => {
    const text = (value: unknown) => JSON.stringify(canonical(value))
    expect(text({ a: 1, b: { c: [1, 2], d: undefined } })).toBe(text({ b: { c: [1, 2] }, a: 1 }))
    expect(text({ a: [1, 2] })).not.toBe(text({ a: [2, 1] }))
  })
})
