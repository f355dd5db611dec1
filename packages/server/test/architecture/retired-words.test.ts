/** No identifier or file name contains a retired word; the table gives the plain word instead (docs/glossary.md). */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packages, parseFolder, walk } from './code.ts'

const retired: Readonly<Record<string, string>> = {
  beneath: 'withSpan',
  deed: 'change, audit entry',
  desk: 'dashboard',
  doorkeeper: 'sign-in',
  ground: 'infrastructure',
  homeless: 'withoutSource',
  patience: 'timeouts',
  sieve: 'filter',
  turnstile: 'concurrency limiter',
  wish: 'request',
}

const anyRetired = new RegExp(Object.keys(retired).join('|'), 'i')

/** `openGround` has the parts `open` and `ground`. */
const partsOf = (name: string): string[] =>
  name.split(/[^A-Za-z0-9]|_|(?<=[a-z0-9])(?=[A-Z])/).map((part) => part.toLowerCase().replace(/s$/, ''))

it('no name of the six packages has a retired word in it', () => {
  const files = readdirSync(packages).flatMap((name) => parseFolder(join(name, 'src'), { tests: true }))
  const found = files.flatMap(({ path, text, ast }) => {
    const names = [path]
    if (anyRetired.test(text))
      walk(ast, (node) => {
        if (node.type === 'Identifier' || node.type === 'PrivateIdentifier') names.push(node.name as string)
      })
    return names
      .flatMap(partsOf)
      .filter((part) => Object.hasOwn(retired, part))
      .map((part) => `${path}: ${part}: say ${retired[part]}`)
  })
  expect(files.length).toBeGreaterThan(500)
  expect([...new Set(found)]).toEqual([])
})
