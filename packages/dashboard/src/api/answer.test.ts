import { expect, it } from 'vitest'
import { readAnswer } from './answer.ts'

it('an answer is shown without what turns the direction of its text; marks that right-to-left names need stay', async () => {
  const names = ['Safe\u202egpj.exe\u202c', '\u2066a\u2069', '\u200fשלום']
  expect(await readAnswer(Response.json({ names }))).toEqual({ names: ['Safegpj.exe', 'a', '\u200fשלום'] })
  expect(await readAnswer(new Response('<html>'))).toBeUndefined()
  expect(await readAnswer(new Response('null'))).toBeNull()
})
