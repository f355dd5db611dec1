import { describe, expect, it } from 'vitest'
import { ApiError } from '../../api/error.ts'
import { complaintOf, lookUpPeople } from './look-up-people.ts'

const handles = (count: number): string[] => Array.from({ length: count }, (_, index) => `person-${index + 1}`)

describe('people named by handles and addresses', () => {
  it('are each looked up by their handle, four at a time', async () => {
    let [now, most] = [0, 0]
    const { ids } = await lookUpPeople([...handles(9), 'https://www.linkedin.com/in/Ada-Lovelace/'], async (handle) => {
      now += 1
      most = Math.max(most, now)
      await Promise.resolve()
      now -= 1
      return `id-of-${handle}`
    })
    expect(most).toBe(4)
    expect(ids.size).toBe(10)
    expect(ids.get('person-9')).toBe('id-of-person-9')
    expect(ids.get('https://www.linkedin.com/in/Ada-Lovelace/')).toBe('id-of-ada-lovelace')
  })
  it('are told apart: who is unknown, and whom nobody could be asked about', async () => {
    const asked: string[] = []
    const lookedUp = await lookUpPeople(handles(12), async (handle) => {
      asked.push(handle)
      if (handle === 'person-2') throw new ApiError(404, { error: 'Unknown' })
      if (handle === 'person-6') throw new ApiError(429, { error: 'Too many requests.' })
      return Promise.resolve(`id-of-${handle}`)
    })
    expect(lookedUp.unknown).toEqual(['person-2'])
    expect(lookedUp.unasked).toContain('person-6')
    // What was under way when it was refused ends; nobody after that is asked for.
    expect(asked.length).toBeLessThan(10)
    expect([...lookedUp.ids.keys(), ...lookedUp.unknown, ...lookedUp.unasked].sort()).toEqual(handles(12).sort())
    expect(complaintOf(lookedUp)).toMatch(
      /^Not found: person-2\. Not looked up, name them again: person-6, person-\d+, person-\d+ and \d more\. Too many requests\.$/,
    )
  })
  it('are no complaint when each was found', async () => {
    expect(complaintOf(await lookUpPeople(handles(2), (handle) => Promise.resolve(handle)))).toBeNull()
  })
})
