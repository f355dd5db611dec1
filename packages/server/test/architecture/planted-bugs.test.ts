/** The planted bugs of `npm run mutants:planted` stay plantable: each applies to the code as it is and names tests that exist. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { applyHunks, listPlanted, readPlanted, root, withBug } from '../mutants/planted.ts'

describe('every planted bug', () => {
  const planted = listPlanted()
  const read = (path: string) => readFileSync(join(root, path), 'utf8')

  it('applies to the code as it is', () => {
    expect(
      planted
        .filter((each) => withBug(each, read) === null)
        .map(({ name }) => `${name}.patch no longer applies: plant the same bug in the code as it is now`),
    ).toEqual([])
  })
  it('changes something', () => {
    expect(
      planted
        .filter((each) => [...(withBug(each, read) ?? [])].every(([path, text]) => text === read(path)))
        .map(({ name }) => name),
    ).toEqual([])
  })
  it('is planted in the code of the service, its contract or its clients, not in a test', () => {
    expect(
      planted
        .flatMap(({ files }) => files.map(({ path }) => path))
        .filter(
          (path) =>
            !/^packages\/(?:server\/migrations|(?:server|contract|cli|mcp|dashboard)\/src)\//.test(path) ||
            path.endsWith('.test.ts'),
        ),
    ).toEqual([])
  })
  it('names a test that exists', () => {
    expect(
      planted.flatMap(({ name, caughtBy }) =>
        caughtBy
          .filter((file) => !file.endsWith('.test.ts') || !existsSync(join(root, file)))
          .map((file) => `${name}.patch: ${file}`),
      ),
    ).toEqual([])
  })
  it('breaks a guarantee of its own', () => {
    const guarantees = planted.map(({ guarantee }) => guarantee)
    expect(guarantees.filter((guarantee, n) => guarantees.indexOf(guarantee) !== n)).toEqual([])
  })
})

describe('reading and applying a patch', () => {
  const patch = [
    'guarantee: nothing is lost',
    'caught-by: a.test.ts, b.test.ts',
    '',
    'diff --git a/x.ts b/x.ts',
    '--- a/x.ts',
    '+++ b/x.ts',
    '@@ -2,2 +2,2 @@',
    ' two',
    '-three',
    '+tree',
    '',
  ].join('\n')

  it('takes guarantee, tests and changes', () => {
    expect(readPlanted('x', patch)).toMatchObject({
      guarantee: 'nothing is lost',
      caughtBy: ['a.test.ts', 'b.test.ts'],
      files: [{ path: 'x.ts', hunks: [{ near: 2, before: ['two', 'three'], after: ['two', 'tree'] }] }],
    })
  })
  it.each([
    ['no guarantee', patch.replace(/^guarantee.*\n/, '')],
    ['no test', patch.replace(/^caught-by.*\n/m, '')],
    ['no change', 'guarantee: a\ncaught-by: b\n'],
  ])('refuses one with %s', (_what, text) => {
    expect(() => readPlanted('x', text)).toThrow(/x\.patch/)
  })
  it.each([
    ['where it was', 'one\ntwo\nthree\nfour', 'one\ntwo\ntree\nfour'],
    ['where its lines have moved to', 'zero\nzero\none\ntwo\nthree', 'zero\nzero\none\ntwo\ntree'],
    ['the nearest of several places', 'one\ntwo\nthree\ntwo\nthree', 'one\ntwo\ntree\ntwo\nthree'],
    ['not where a line differs', 'one\ntwo\nthree!', null],
  ])('applies %s', (_what, source, expected) => {
    expect(applyHunks(source, readPlanted('x', patch).files[0]!.hunks)).toBe(expected)
  })
})
