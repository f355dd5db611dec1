import { expect, test } from 'vitest'
import { gathered } from './gathered.ts'

/** A gathered call that waits until released, and the questions it got. */
function opened() {
  const askings: { questions: readonly number[]; go: () => void; fail: (error: Error) => void }[] = []
  const ask = gathered<number, string>((questions) => {
    const answer = Promise.withResolvers<readonly string[]>()
    askings.push({ questions, go: () => answer.resolve(questions.map((n) => `a${n}`)), fail: answer.reject })
    return answer.promise
  }, 3)
  return { ask, askings }
}

test('what is put in the same breath goes together; who comes while an asking is under way shares the next, up to its bound', async () => {
  const { ask, askings } = opened()
  const [first, second] = [ask(1), ask(2)]
  await Promise.resolve()
  const later = [3, 4, 5, 6].map(ask)
  expect(askings.map(({ questions }) => questions)).toEqual([[1, 2]])
  askings[0]!.go()
  expect(await Promise.all([first, second])).toEqual(['a1', 'a2'])
  await expect.poll(() => askings.length).toBe(2)
  expect(askings[1]!.questions).toEqual([3, 4, 5])
  askings[1]!.go()
  expect(await Promise.all(later.slice(0, 3))).toEqual(['a3', 'a4', 'a5'])
  await expect.poll(() => askings.length).toBe(3)
  askings[2]!.go()
  expect(await later[3]).toBe('a6')
})

test('a failed asking fails for those in it and for nobody after them', async () => {
  const { ask, askings } = opened()
  const first = ask(1)
  await Promise.resolve()
  const second = ask(2)
  askings[0]!.fail(new Error('gone'))
  await expect(first).rejects.toThrow('gone')
  await expect.poll(() => askings.length).toBe(2)
  askings[1]!.go()
  expect(await second).toBe('a2')
})

test('once nobody waits, the next is asked for at once', async () => {
  const { ask, askings } = opened()
  const first = ask(1)
  await Promise.resolve()
  askings[0]!.go()
  await first
  await Promise.resolve()
  const second = ask(2)
  await expect.poll(() => askings.length).toBe(2)
  askings[1]!.go()
  expect(await second).toBe('a2')
})
