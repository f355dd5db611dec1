import { expect, it } from 'vitest'
import { Refusal } from '../../platform/refusal.ts'
import { openPersonalWindows, personalLimits } from './windows.ts'

it(
  'a person reads so often a minute for no team, and then is told when ' +
    'to come back; others, writes and the next minute are not touched',
  () => {
    const count = openPersonalWindows()
    const now = new Date('2026-11-21T09:00:00.000Z')
    for (let n = 0; n < personalLimits.reads; n++) count('one', 'GET', now)
    const refusal = (() => {
      try {
        return count('one', 'GET', new Date(now.getTime() + 20_000))
      } catch (error) {
        return error
      }
    })()
    expect(refusal).toBeInstanceOf(Refusal)
    expect(refusal).toMatchObject({ key: 'rate_limited', headers: { 'retry-after': '40' } })
    count('one', 'POST', now)
    count('another', 'GET', now)
    count('one', 'GET', new Date(now.getTime() + 60_000))
  },
)
