/** Words that this code used to have for itself, and the plain ones that took their place (docs/glossary.md). */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packages, parseFile, parseFolder, walk, type SourceFile } from './code.ts'

/** Retired words, as parts of a name (`openGround`, `ground.ts`), with what is said instead. */
const retired: Readonly<Record<string, string>> = {
  barren: 'emptyPages',
  beneath: 'withSpan',
  deed: 'change, audit entry',
  deeds: 'changes, audit entries',
  desk: 'dashboard',
  doorkeeper: 'sign-in',
  ground: 'infrastructure',
  homeless: 'withoutSource',
  patience: 'timeouts',
  sieve: 'filter',
  spare: 'fallback',
  strangers: 'unknown…, others',
  tame: 'clean',
  turnstile: 'concurrency limiter',
  wish: 'request',
  wishes: 'requests',
}

/** Names that are retired whole: their parts are ordinary words. */
const retiredNames: Readonly<Record<string, string>> = {
  PassFault: 'FaultPointHook',
  passFault: 'faultPoint',
  tellCalls: 'observeCalls',
  tellFailure: 'describeFailure',
  readSaid: 'readVendorMessage',
  takeUp: 'adoptSource',
  beginFlight: 'lockIdempotencyKey',
  endFlight: 'unlockIdempotencyKey',
  lookAt: 'readChangeMarks',
  lookAtWork: 'readWorkState',
  untold: 'withoutReasoning',
  asksOutside: 'callsVendors',
  tellMark: 'warnOfBalance',
}

/** Names exported under a word that says too little; inside a function they are ordinary. */
const retiredExports: Readonly<Record<string, string>> = {
  apart: 'withSeparateLogContext',
  look: 'a verb and what it is about, such as requireOpenCampaign',
  note: 'addLogContext',
  noted: 'currentLogContext',
  pass: 'faultPoint',
  told: 'what is told to whom, such as onCall',
  within: 'withLogContext',
}

/** Where a word stays, with the reason. */
const exempt: readonly { readonly path: RegExp; readonly word: string; readonly why: string }[] = [
  { path: /^server\/src\/modules\/(?:sources|keywords|runs)\//, word: 'barren', why: 'a field of stored cursors' },
]

const parts = (name: string): string[] =>
  name
    .split(/[_\-.]|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
    .map((part) => part.toLowerCase())
    .filter((part) => part !== '')

function wordsOf(name: string): string[] {
  const words = parts(name).filter((part) => Object.hasOwn(retired, part))
  return [
    ...words.map((word) => `${word}: say ${retired[word]}`),
    ...(Object.hasOwn(retiredNames, name) ? [`${name}: say ${retiredNames[name]}`] : []),
  ]
}

const anyRetired = new RegExp(Object.keys({ ...retired, ...retiredNames, ...retiredExports }).join('|'), 'i')

/** What is wrong with the names in a file and with the file's own. */
function complaints(file: SourceFile): string[] {
  const found = new Set(file.path.split('/').flatMap((part) => wordsOf(part)))
  if (anyRetired.test(file.text))
    walk(file.ast, (node, parents) => {
      if (node.type !== 'Identifier' && node.type !== 'PrivateIdentifier') return
      const name = node.name as string
      for (const word of wordsOf(name)) found.add(word)
      if (!Object.hasOwn(retiredExports, name)) return
      const [declared, outer, outermost] = [parents.at(-1), parents.at(-2), parents.at(-3)]
      const isName = declared?.id === node
      if (isName && [outer, outermost].some((around) => around?.type === 'ExportNamedDeclaration'))
        found.add(`${name}: export ${retiredExports[name]}`)
    })
  return [...found]
    .filter((word) => !exempt.some((each) => each.path.test(file.path) && word.startsWith(`${each.word}:`)))
    .map((word) => `${file.path}: ${word}`)
}

describe('retired words', () => {
  it('are in no name of the six packages, of a thing or of a file', () => {
    const all = readdirSync(packages).flatMap((name) => parseFolder(join(name, 'src'), { tests: true }))
    expect(all.length).toBeGreaterThan(900)
    expect(all.flatMap(complaints)).toEqual([])
  })
  it.each([
    ['a variable', 'x.ts', 'const ground = 1', 'x.ts: ground: say infrastructure'],
    ['a part of a name', 'x.ts', 'openTurnstile()', 'x.ts: turnstile: say concurrency limiter'],
    ['a field', 'x.ts', 'call({ deskParts: 1 })', 'x.ts: desk: say dashboard'],
    ['a name as a whole', 'x.ts', 'await deps.passFault(1)', 'x.ts: passFault: say faultPoint'],
    ['an export', 'x.ts', 'export function apart() {}', 'x.ts: apart: export withSeparateLogContext'],
    ['a constant export', 'x.ts', 'export const note = 1', 'x.ts: note: export addLogContext'],
    [
      'the name of a file',
      'server/src/modules/desk/index.ts',
      '',
      'server/src/modules/desk/index.ts: desk: say dashboard',
    ],
  ])('are seen in %s', (_what, path, text, expected) => {
    expect(complaints(parseFile(path, text))).toEqual([expected])
  })
  it('are no matter in strings, comments and ordinary names', () => {
    const text = "/** the ground */ const background = 'desk'\nconst note = (apart: string) => apart"
    expect(complaints(parseFile('x.ts', text))).toEqual([])
  })
})
