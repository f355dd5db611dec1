/** Each planted bug of `npm run mutants:planted` still applies to the code and names tests that exist. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listPlanted, root, withBug } from '../mutants/planted.ts'

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
  it('names a test that exists', () => {
    expect(
      planted.flatMap(({ name, caughtBy }) =>
        caughtBy
          .filter((file) => !file.endsWith('.test.ts') || !existsSync(join(root, file)))
          .map((file) => `${name}.patch: ${file}`),
      ),
    ).toEqual([])
  })
})
