/** Every test asserts something, and seeks nothing that a random id may hold by chance. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packages, parseFile, parseFolder } from './code.ts'
import { fixedAccounts, shortExpectations, shortSearches, silentTests, slowUnits, tightBounds } from './test-laws.ts'

const suite = ['cli', 'contract', 'dashboard', 'mcp', 'sandbox', 'server']
  .flatMap((name) => [`${name}/src`, `${name}/test`])
  .filter((folder) => existsSync(join(packages, folder)))
  .flatMap((folder) => parseFolder(folder, { tests: true }))
  .filter(({ path }) => path.includes('/test/') || path.includes('/testing/') || path.endsWith('.test.ts'))
const planted = (text: string) => parseFile('server/test/x.test.ts', text)

it('all tests are read', () =>
  expect(suite.filter(({ path }) => path.endsWith('.test.ts')).length).toBeGreaterThan(400))

it('a page is not searched for a text that an id beside it may hold', () =>
  expect(suite.flatMap(shortSearches)).toEqual([]))

it('no answer is expected to hold, or not to hold, a text that an id in it may hold', () =>
  expect(suite.flatMap(shortExpectations)).toEqual([]))

it('no test signs up with an address that its second try would meet again', () =>
  expect(suite.flatMap(fixedAccounts)).toEqual([]))

it.each(["signUp(world, { email: 'a@example.com' })", 'memberOf(world, team, `owner`, { email: `a@example.com` })'])(
  'a planted account with a fixed address is caught: %s',
  (text) => expect(fixedAccounts(planted(text))).toHaveLength(1),
)

it('no property waits seconds for a list of every character', () => expect(suite.flatMap(slowUnits)).toEqual([]))

it('a planted property over every character is caught', () =>
  expect(slowUnits(planted("fc.string({ unit: 'binary', maxLength: 9 })"))).toHaveLength(1))

it('no test, hook or poll has less time than a build gives it anyway', () =>
  expect(suite.flatMap(tightBounds)).toEqual([]))

it.each([
  "it('a', async () => {}, 60_000)",
  "it.each([1])('a', run, 90_000)",
  "describe('a', { timeout: 30_000 }, run)",
  'beforeAll(run, 5_000)',
  'expect.poll(run, { interval: 5, timeout: 8_000 })',
])('a planted bound that is too tight is caught: %s', (text) => expect(tightBounds(planted(text))).toHaveLength(1))

it.each(["it('a', run, 240_000)", 'expect.poll(run, { timeout: 100_000 })', "it('a', run)", 'until(run, 50)'])(
  'a bound that gives more time passes: %s',
  (text) => expect(tightBounds(planted(text))).toEqual([]),
)

it('every test asserts something', () => expect(suite.flatMap(silentTests)).toEqual([]))

it.each(["page.getByText('77')", 'page.getByText(/12/)', "rows.filter({ hasText: 'New' })", 'page.getByText(`4`, {})'])(
  'a planted short search is caught: %s',
  (text) => expect(shortSearches(planted(text))).toHaveLength(1),
)
it.each(["page.getByText('77', { exact: true })", "page.getByText('4 credits')", 'page.getByText(/^4$/)'])(
  'a search for the whole text passes: %s',
  (text) => expect(shortSearches(planted(text))).toEqual([]),
)
it.each([
  "expect(JSON.stringify(body)).not.toContain('12')",
  'expect(answer.text).toMatch(/7/)',
  "expect(stdout).toContain('ok')",
])('a planted short expectation is caught: %s', (text) => expect(shortExpectations(planted(text))).toHaveLength(1))

it.each([
  "it('a', () => { run() })",
  "test('a', async () => { await run() })",
  "it.each([1])('a', (n) => run(n))",
  "describe('b', () => { it.skipIf(x)('a', () => { const y = run() }) })",
])('a planted test that asserts nothing is caught: %s', (text) => {
  const file = planted(`const run = () => 1\n${text}`)
  expect(silentTests(file)).toHaveLength(1)
})
it.each([
  "it('a', () => { check() })",
  "it('a', () => { outer() })",
  "it('a', () => all.forEach(check))",
  "it('a', () => expectPages(run))",
  "it('a', () => { if (bad) throw new Error('a') })",
])('a test whose helper asserts passes: %s', (text) => {
  const file = planted(`const check = () => expect(1).toBe(1)\nfunction outer() { check() }\n${text}`)
  expect(silentTests(file)).toEqual([])
})
