/** What a start loads: a help text must not wait for schemas, prompts or jq (`start-time.ts` measures the result). */
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** Everything that a file imports before it runs, and what that imports; types are left out, for they are gone by then. */
function loadedWith(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const [, names, from] of readFileSync(file, 'utf8').matchAll(
    /^(?:import|export) ([^;'"`]*?from )?'([^']+)'/gm,
  )) {
    if (names?.startsWith('type ')) continue
    if (from!.startsWith('.')) loadedWith(resolve(dirname(file), from!), seen)
    else seen.add(from!)
  }
  return seen
}

describe('a start', () => {
  const loaded = [...loadedWith(main)]
  it('loads two libraries, and of Node nothing but files', () => {
    expect(loaded.filter((name) => !name.startsWith('/')).sort()).toEqual([
      'commander',
      'node:fs',
      'node:path',
      'picocolors',
    ])
  })
  it('loads nothing that is only for making the catalogue, and no command of its own', () => {
    const files = loaded.filter((name) => name.startsWith('/')).map((name) => name.replace(/^.*\/src\//, ''))
    expect(
      files.filter((name) =>
        /^catalogue\/(?!entry|load|operations\.json$)|^webhooks\/|^commands\/(?!api|operation-command|own)|jq/.test(
          name,
        ),
      ),
    ).toEqual([])
    expect(files.length).toBeLessThan(40)
  })
})
