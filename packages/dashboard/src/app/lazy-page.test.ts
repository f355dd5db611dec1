import { describe, expect, it } from 'vitest'
import { fetchAgain } from './lazy-page.tsx'

describe('a page that is fetched', () => {
  const failing = (times: number) => {
    let calls = 0
    return () => (++calls <= times ? Promise.reject(new Error(`failure ${calls}`)) : Promise.resolve(calls))
  }
  it('is asked for again after each wait, and its last failure is told', async () => {
    const waited: number[] = []
    const wait = async (ms: number) => void waited.push(ms)
    expect(await fetchAgain(failing(2), [3, 9], wait)).toBe(3)
    expect(waited).toEqual([3, 9])
    await expect(fetchAgain(failing(3), [3, 9], wait)).rejects.toThrow('failure 3')
    expect(await fetchAgain(failing(0), [3, 9], wait)).toBe(1)
    expect(waited).toEqual([3, 9, 3, 9])
  })
})
