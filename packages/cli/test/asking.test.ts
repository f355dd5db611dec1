import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { asking } from '../src/asking.ts'

/** A terminal on which keys are pressed as soon as the question appears. */
function terminal(keys: string) {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined })
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 24 })
  output.once('data', () => setImmediate(() => (keys === '' ? input.end() : input.write(keys))))
  output.resume()
  return asking({ input: () => input, output: () => output }, new AbortController().signal)
}

describe('a question at a terminal', () => {
  it('takes a yes and a no', async () => {
    expect(await terminal('y').confirm('Go ahead?')).toBe(true)
    expect(await terminal('\r').confirm('Go ahead?')).toBe(false)
  })
  it.each([
    ['Ctrl-D', '\u0004'],
    ['Ctrl-C', '\u0003'],
    ['the end of the terminal', ''],
  ])('is stopped by %s, whatever is asked', async (_key, keys) => {
    expect(await terminal(keys).confirm('Go ahead?')).toBeUndefined()
    expect(await terminal(keys).secret('Key?')).toBeUndefined()
    expect(await terminal(keys).choose('Team?', [{ value: 'a', label: 'A' }])).toBeUndefined()
  })
})
