import { describe, expect, test } from 'vitest'
import { addLogContext, currentLogContext, withLogContext } from './log-context.ts'
import { openLog, redact } from './log.ts'

describe('what a line must not say', () => {
  test.each([
    ['key cs_ABCDEFGHIJKLMNOPQRSTUV refused', 'key [redacted] refused'],
    ['secret whsec_ABCDEFGHIJKLMNOPQRSTUV+/==', 'secret [redacted]'],
    ['authorization: Bearer abc.def', 'authorization: [redacted]'],
    ['Incorrect API key provided: sk-proj-abc_DEF-123456', 'Incorrect API key provided: [redacted]'],
    ['key AIzaSyA1234567890abcdefghij', 'key [redacted]'],
    ['POST https://hooks.example/T0/B0/token?key=1 failed', 'POST https://hooks.example/… failed'],
    ['cannot reach postgres://user:pass@db.example:5432/les', 'cannot reach postgres://db.example:5432/…'],
    ['see https://user:pass@host.example.', 'see https://host.example.'],
  ])('%s', (text, shown) => {
    expect(redact(text)).toBe(shown)
  })
  test('says where the code was, and the plain address of a service', () => {
    const text = 'at run (file:///srv/les/src/main.ts:12:3)\nlistening on http://127.0.0.1:8080/'
    expect(redact(text)).toBe(text.replace('8080/', '8080'))
  })
})

describe('a long text', () => {
  const key = `cs_${'A'.repeat(40)}`
  test('is cut before it is searched, never inside of what may be a secret, and says how much is left out', () => {
    for (const before of [7_950, 7_980, 7_999, 8_000, 8_001]) {
      const shown = redact(`${'a '.repeat(before / 2)}${key} ${'b'.repeat(50_000)}`)
      expect(shown).not.toMatch(/cs_|AAA/)
      expect(shown).toMatch(/… \(5\d{4} characters more\)$/)
      expect(shown.length).toBeLessThan(8_100)
    }
    expect(redact(`${'x'.repeat(9_000)}`)).toBe('… (9000 characters more)')
  })
  test.each([' ', '://', 'a://', 'cs_', 'sk-', 'Bearer ', '@', '"', 'whsec_', 'a'])(
    'of %j a hundred thousand times over costs what its head costs',
    (unit) => expect(redact(unit.repeat(100_000)).length).toBeLessThan(20_000),
  )
})

describe('what a line says of itself', () => {
  const lines: string[] = []
  const log = openLog('info', { write: (line: string) => void lines.push(line) })
  const last = () => JSON.parse(lines.at(-1)!) as Record<string, unknown>

  test('is what the work around it is about, its own fields first', async () => {
    log.info('before')
    expect(last()).not.toHaveProperty('requestId')
    await withLogContext({ requestId: 'r1', kind: 'outer' }, async () => {
      addLogContext({ teamId: 't1' })
      log.with({ kind: 'bound' }).warn('inside', { kind: 'own' })
      expect(last()).toMatchObject({ requestId: 'r1', teamId: 't1', kind: 'own' })
      await withLogContext({ runId: 'y1' }, async () => addLogContext({ teamId: 't2' }))
      expect(currentLogContext()).toEqual({ requestId: 'r1', kind: 'outer', teamId: 't1' })
    })
    addLogContext({ teamId: 'nobody' })
    expect(currentLogContext()).toEqual({})
  })
  test('keeps pieces of work at the same time apart', async () => {
    const seen = await Promise.all(
      [1, 2, 3].map((n) =>
        withLogContext({ n }, async () => {
          await Promise.resolve()
          addLogContext({ twice: n * 2 })
          await Promise.resolve()
          return currentLogContext()
        }),
      ),
    )
    expect(seen).toEqual([
      { n: 1, twice: 2 },
      { n: 2, twice: 4 },
      { n: 3, twice: 6 },
    ])
  })
  test('an error is its name, message and place, without secrets', () => {
    log.error('failed', { error: new Error('sk-abcdefgh12345 at https://h.example/t/secret') })
    expect(last().error).toMatchObject({ name: 'Error', message: '[redacted] at https://h.example/…' })
    expect(lines.at(-1)).not.toMatch(/abcdefgh|secret/)
  })
})
