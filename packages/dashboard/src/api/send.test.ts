import { afterEach, expect, it, vi } from 'vitest'
import { ApiError } from './error.ts'
import { send } from './send.ts'

afterEach(() => vi.unstubAllGlobals())

/** What a page gets for this answer or network error. */
async function sent(answer: Response | Error): Promise<unknown> {
  vi.stubGlobal('fetch', async () => {
    if (answer instanceof Error) throw answer
    return answer
  })
  return send('GET', '/app/api/me').catch((error: unknown) => error)
}

const breaksOff = (status: number) =>
  new Response(
    new ReadableStream({
      start(stream) {
        stream.enqueue(new TextEncoder().encode('{"teams":['))
        stream.error(new TypeError('terminated'))
      },
    }),
    { status },
  )

it('an answer is the JSON of a success, null too', async () => {
  expect(await sent(Response.json({ teams: [] }))).toEqual({ teams: [] })
  expect(await sent(Response.json(null))).toBeNull()
})

it('an answer has none of the marks that turn the direction of text, but those that right-to-left names need', async () => {
  const names = ['Safe\u202egpj.exe\u202c', '\u2066a\u2069', '\u200fשלום']
  expect(await sent(Response.json({ names }))).toEqual({ names: ['Safegpj.exe', 'a', '\u200fשלום'] })
})

it.each([
  ['no connection', new TypeError('fetch failed')],
  ['an answer that breaks off', breaksOff(200)],
  ['a refusal that breaks off', breaksOff(409)],
])('%s is no answer: the service cannot be reached', async (_what, answer) => {
  const error = await sent(answer)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ status: 0, message: expect.stringContaining('cannot be reached') })
})

it('a page that something else answers with is none, though it is a success', async () => {
  expect(await sent(new Response('<html>Accept the terms', { status: 200 }))).toMatchObject({
    status: 0,
    message: expect.stringContaining('did not come from the service'),
  })
})

it('a refusal says what it says, and one without words its status', async () => {
  expect(await sent(Response.json({ error: 'Not tracked', code: 'not_tracked' }, { status: 404 }))).toMatchObject({
    status: 404,
    code: 'not_tracked',
    message: 'Not tracked',
  })
  expect(await sent(new Response('<html>', { status: 502 }))).toMatchObject({
    status: 502,
    message: expect.stringMatching(/failed/),
  })
  expect(await sent(new Response('', { status: 418 }))).toMatchObject({
    status: 418,
    message: expect.stringMatching(/answered 418/),
  })
})

it('what was given up is an abort', async () => {
  expect(await sent(new DOMException('given up', 'AbortError') as Error)).toMatchObject({ name: 'AbortError' })
})
