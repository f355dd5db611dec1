import { describe, expect, it } from 'vitest'
import { refusalText, successResult } from './answer.ts'

const textOf = (result: ReturnType<typeof successResult>) => (result.content as { text: string }[])[0]!.text

describe('a success', () => {
  it('is a short text and the answer itself', () => {
    const body = { leads: [{ id: 'a' }], total: 7, limit: 1, offset: 0, hasMore: true }
    const result = successResult('List leads', body)
    expect(result.structuredContent).toEqual(body)
    expect(textOf(result)).toBe(`List leads: 1 of 7 leads.\n${JSON.stringify(body)}\nMore: repeat with "offset":1.`)
  })

  it.each([
    [{ jobId: 'j' }, 'get_job {"jobId":"j"}'],
    [{ pushId: 'p', finished: false }, 'get_job {"of":"push","pushId":"p"}'],
    [{ isFinal: false }, 'ask again in half a minute'],
  ])('%j says what to do next', (body, hint) => expect(textOf(successResult('Done', body))).toContain(hint))

  it.each([{ jobId: 'j', status: 'completed' }, { pushId: 'p', finished: true }, { isFinal: true }])(
    '%j is the end of it',
    (body) => expect(textOf(successResult('Done', body)).split('\n')).toHaveLength(2),
  )

  it('a long list is cut in the text and whole in the structured content', () => {
    const leads = Array.from({ length: 100 }, (_, at) => ({ id: at, about: 'x'.repeat(370) }))
    const result = successResult('List leads', { leads })
    expect(textOf(result).length).toBeLessThan(14_000)
    expect(textOf(result)).toMatch(/\d+ of these 100 leads are shown here/)
    expect((result.structuredContent as { leads: unknown[] }).leads).toHaveLength(100)
  })
})

describe('a refusal', () => {
  it('says status, code, message, figures, the wait and what to do: of a role too low, who can do it [SEC-22]', () => {
    const text = refusalText({
      status: 429,
      body: { error: 'Too fast', code: 'rate_limited', requestId: 'r' },
      retryAfterSeconds: 17,
    })
    expect(refusalText({ status: 403, body: { error: 'Only owners', code: 'role_required', needed: 'owner' } })).toBe(
      'Error 403 role_required: Only owners\n{"needed":"owner"}\nWhat to do: ' +
        'Ask an owner of the team to do it, or to give you the role that `needed` names. Retrying does not help.',
    )
    expect(text).toMatch(/^Error 429 rate_limited: Too fast\nWait 17 seconds before the next call\.\nWhat to do: Wait/)
    expect(
      refusalText({ status: 409, body: { error: 'No', code: 'spend_confirmation_required', estimatedDailyMax: 7 } }),
    ).toContain('{"estimatedDailyMax":7}')
    expect(refusalText({ status: 500, body: { error: 'Oh', requestId: 'r' } })).toContain('requestId: r')
  })
})
