/** A document is compressed once for everybody, an answer each time it is given. */
import { expect, it } from 'vitest'
import { gunzipSync } from 'node:zlib'
import type { Reply } from '../reply.ts'
import { represent } from './represent.ts'

const text = JSON.stringify({ words: 'what is said here '.repeat(200) })
const made = (reply: Reply) => {
  const asked: string[] = []
  const compressor = (name: string) => (given: string) => {
    asked.push(name)
    return asked.length === 1
      ? Promise.reject(new Error('no room'))
      : Promise.resolve(Buffer.from(`${name} ${given.length}`))
  }
  return {
    asked,
    read: (accept: string) =>
      represent(reply, { 'accept-encoding': accept }, { br: compressor('br'), gzip: compressor('gzip') }),
  }
}

it('a document is compressed once for each encoding, and again when that failed', async () => {
  const { asked, read } = made({ status: 200, headers: {}, body: null, text, revalidates: true, isDocument: true })
  await expect(read('br')).rejects.toThrow('no room')
  const answers = [await read('br'), await read('br'), await read('gzip'), await read('gzip;q=1, br;q=0.1')]
  expect(answers.map(({ payload }) => String(payload))).toEqual(
    ['br', 'br', 'gzip', 'gzip'].map((name) => `${name} ${text.length}`),
  )
  expect(new Set(answers.map(({ headers }) => headers.etag)).size).toBe(1)
  expect(asked).toEqual(['br', 'br', 'gzip'])
  expect((await read('identity')).payload).toBe(text)
})

it('an answer is compressed each time: another caller has another', async () => {
  const reply: Reply = { status: 200, headers: {}, body: JSON.parse(text) }
  const { asked, read } = made(reply)
  await expect(read('gzip')).rejects.toThrow('no room')
  await read('gzip')
  await read('gzip')
  expect(asked).toHaveLength(3)
  const { payload, headers } = await represent(reply, { 'accept-encoding': 'gzip' })
  expect([headers['content-encoding'], gunzipSync(payload as Buffer).toString()]).toEqual(['gzip', text])
})
