/** Every refusal says what to do about it, as the description and the agent tools tell it. */
import { describe, expect, it } from 'vitest'
import { adviceFor, contractErrors, hasAdvice } from '../src/index.ts'

describe('advice', () => {
  it('every stable code has its own: add it to advice.ts', () => {
    const codes = Object.values(contractErrors).flatMap(({ code }) => (code === null ? [] : [code as string]))
    expect(codes.filter((code) => !hasAdvice(code))).toEqual([])
  })

  it('a refusal without a code is advised by its status', () => {
    expect(
      Object.values(contractErrors).filter(
        ({ status, code }) => code === null && adviceFor(status, null).startsWith('Read the message'),
      ),
    ).toEqual([])
  })
})
