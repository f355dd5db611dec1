import { describe, expect, it } from 'vitest'
import { onlyJsonIn } from './question.ts'

const value = { verdicts: [{ id: 'a', keep: true, reason: 'says "}" and [' }] }
const json = JSON.stringify(value)

describe('the JSON in a text', () => {
  it.each([
    json,
    `\uFEFF${json}`,
    `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``,
    `Sure! Here they are:\n\n${json}\n\nLet me know [if you] need {more}.`,
    `He said "yes", so: ${json}`,
    `{${json}}`,
    `<think>{ hm [</think>${json}`,
  ])('is read when it is the only one, whatever surrounds it: %j [WLD-24, G166]', (text) =>
    expect(onlyJsonIn(text)).toEqual(value),
  )
  it.each([
    '',
    'I would keep the first.',
    '{verdicts: yes}',
    json.slice(0, -3),
    `${json}\n${json}`,
    `[1] ${json}`,
    '"text"',
    '7',
  ])('is none when there is none, or several: %j [WLD-24, G166]', (text) => expect(onlyJsonIn(text)).toBeUndefined())
  it('is looked for in bounded time', () => {
    const began = performance.now()
    expect(onlyJsonIn('['.repeat(200_000))).toBeUndefined()
    expect(performance.now() - began).toBeLessThan(2_000)
  })
})
