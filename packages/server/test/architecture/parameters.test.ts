/**
 * A function takes at most three parameters by position: more of them are told apart by their order alone, and a call
 * with two of one type swapped compiles. What is more goes into an object. The exceptions are listed with their reason.
 */
import { describe, expect, it } from 'vitest'
import { parseFile, parseFolder } from './code.ts'
import { manyParametersOf } from './laws.ts'

const most = 3

/** Functions with more, their file below `packages`, their name, and the reason. */
const listed: Readonly<Record<string, string>> = {
  'dashboard/src/api/send.ts send':
    'method, path, body and settings, in the order of a request; three is what most calls give',
}

/** How many functions of the packages that are not listed yet have more. Nothing is ever added: lower the count. */
const waiting: Readonly<Record<string, number>> = { contract: 9, server: 102 }

describe('parameters by position', () => {
  it('are at most three; each function with more is listed with its reason, and nothing on the list has fewer', () => {
    const files = ['cli', 'dashboard', 'mcp', 'sandbox'].flatMap((name) => parseFolder(`${name}/src`))
    const found = files.flatMap((file) => manyParametersOf(file, most)).map(({ path, name }) => `${path} ${name}`)
    expect([...new Set(found)].toSorted()).toEqual(Object.keys(listed).toSorted())
  })
  it.each(Object.entries(waiting))('in %s are at most three but for what is counted', (name, count) => {
    const found = parseFolder(`${name}/src`).flatMap((file) => manyParametersOf(file, most))
    expect(found.length, found.map(({ path, line }) => `${path}:${line}`).join('\n')).toBeLessThanOrEqual(count)
  })
  it.each([
    ['a function', 'function a(b, c, d, e) {}', 'a'],
    ['an arrow function', 'const a = (b, c, d, e) => b', 'a'],
    ['one inside a call', 'const a = once((b, c, d, e) => b)', 'in a'],
    ['defaults and a rest', 'const a = (b, c = 1, d = 2, ...e) => b', 'a'],
  ])('%s with four is seen by its name', (_what, text, name) => {
    expect(manyParametersOf(parseFile('server/src/x.ts', text), most)).toEqual([
      { path: 'server/src/x.ts', line: 1, name },
    ])
  })
  it('three and an object are let be', () => {
    expect(manyParametersOf(parseFile('server/src/x.ts', 'const a = (b, c, { d, e, f }) => b'), most)).toEqual([])
  })
})
