import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { flag, port, text, type Environment, type Reading } from './reading.ts'

const folder = mkdtempSync(join(tmpdir(), 'les-reading-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const reading = (env: Environment): Reading => ({ env, mistakes: [] })
const read = <Value>(env: Environment, by: (from: Reading) => Value) => {
  const from = reading(env)
  return { value: by(from), mistakes: from.mistakes }
}

describe('readers of settings', () => {
  it('a text comes from its variable or from the file of its twin, and empty is not set', () => {
    const file = join(folder, 'secret')
    writeFileSync(file, ' from a file\n')
    const name = (from: Reading) => text(from, 'NAME')
    expect(read({ NAME: 'direct' }, name)).toEqual({ value: 'direct', mistakes: [] })
    expect(read({ NAME_FILE: file }, name)).toEqual({ value: 'from a file', mistakes: [] })
    expect(read({ NAME: '' }, name)).toEqual({ value: undefined, mistakes: [] })
    expect(read({ NAME: 'direct', NAME_FILE: file }, name)).toEqual({
      value: 'direct',
      mistakes: ['NAME and NAME_FILE are both set: keep one'],
    })
    expect(read({ NAME_FILE: join(folder, 'missing') }, name)).toEqual({
      value: undefined,
      mistakes: ['NAME_FILE names a file that cannot be read'],
    })
  })
  it.each([
    ['1', true, 0],
    ['0', false, 0],
    [undefined, true, 0],
    ['yes', false, 1],
  ])('a flag %j is %j with %i mistakes', (value, expected, mistakes) => {
    const found = read({ NAME: value }, (from) => flag(from, 'NAME', true))
    expect([found.value, found.mistakes.length]).toEqual([expected, mistakes])
  })
  it.each([
    [undefined, null, 0],
    ['0', 0, 0],
    ['65535', 65_535, 0],
    ['65536', 65_536, 1],
    ['-1', -1, 1],
    ['1e3', 1000, 1],
  ])('a port %j is %j with %i mistakes', (value, expected, mistakes) => {
    const found = read({ NAME: value }, (from) => port(from, 'NAME'))
    expect([found.value, found.mistakes.length]).toEqual([expected, mistakes])
  })
})
