/** Reads and updates the YAML file: comments are kept, and values may refer to environment variables. */
import { isMap, isSeq, parseDocument, visit, type Document, type Node, type YAMLSeq } from 'yaml'
import { usage } from '../failure.ts'
import type { Current } from './current.ts'
import { written as writtenLists } from './exclusions.ts'
import { identityOf, sourceKeys, type DeclaredSource, type Fields } from './document.ts'

// `${env:NAME}` is a reference; each further `$` escapes it: `$${env:NAME}` is the text `${env:NAME}`.
const reference = /^(\$+)\{env:([A-Za-z_][A-Za-z0-9_]*)\}$/

/** Escapes texts that look like a reference, so that they are read back unchanged. */
export function escaped(value: unknown): unknown {
  if (typeof value === 'string') return reference.test(value) ? `$${value}` : value
  if (Array.isArray(value)) return value.map(escaped)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, escaped(inner)]))
}

/** Replaces references in values, never in field names; collects unset variables in `missing`. */
export function resolved(
  value: unknown,
  env: Readonly<Record<string, string | undefined>>,
  missing: string[],
): unknown {
  if (typeof value === 'string') {
    const [, dollars, name] = reference.exec(value) ?? []
    if (name === undefined) return value
    if (dollars !== '$') return value.slice(1)
    if (env[name] === undefined || env[name] === '') missing.push(name)
    return env[name] ?? ''
  }
  if (Array.isArray(value)) return value.map((item) => resolved(item, env, missing))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, resolved(inner, env, missing)]))
}

/** Parses a file; a mistake in the YAML is a usage error with its line. */
export function parseFile(text: string, name: string): Document {
  const document = parseDocument(text)
  const [error] = document.errors
  if (error) throw usage(`${name} is not valid YAML: ${error.message.split('\n')[0]}`)
  return document
}

export const emptyFile = (): Document =>
  parseDocument(
    '# What this team tracks, and where its leads go: les config plan shows what would change, ' +
      'les config apply does it.\n' +
      '# A value may stand in the environment: ${env:NAME}; $${env:NAME} is that text itself. ' +
      'What is left out is left as it is.\n' +
      'version: 1\n' +
      'sources: []\n',
  )

/** A source as a file declares it; empty sections are omitted. */
export function entryOf(source: DeclaredSource): Fields {
  const { key, name, settings, webhook, icp, outreach } = source
  const rules = (icp?.rules ?? []) as unknown[]
  return {
    [key]: name,
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
    ...(webhook && webhook.url !== null ? { webhook } : {}),
    ...(icp && rules.length > 0 ? { icp } : {}),
    ...(outreach ? { outreach } : {}),
  }
}

function sequence(document: Document): YAMLSeq {
  const sources = document.get('sources')
  if (isSeq(sources)) {
    // An empty list is in flow style; entries need block style.
    sources.flow = false
    return sources
  }
  document.set('sources', document.createNode([]))
  return document.get('sources') as YAMLSeq
}

type Environment = Readonly<Record<string, string | undefined>>

// In a block text, blanks at the start of a line are lost when it is read again.
const needsQuotes = /^[^\S\n]|[^\S\n]$|\r|^\n/m

function nodeOf(document: Document, value: unknown): Node {
  const node = document.createNode(escaped(value)) as Node
  visit(node, {
    Scalar: (_key, scalar) => {
      if (typeof scalar.value === 'string' && needsQuotes.test(scalar.value)) scalar.type = 'QUOTE_DOUBLE'
    },
  })
  return node
}

function identityOfRaw(raw: unknown, env: Environment): string | null {
  const entry = raw as Fields | null
  const key = sourceKeys.find((name) => entry !== null && typeof entry === 'object' && name in entry)
  return key === undefined ? null : identityOf({ key, name: resolved(entry![key], env, []) as string | string[] })
}

/** Adds entries that the file lacks, keeping what is there; returns how many were added. */
export function addSources(document: Document, entries: readonly DeclaredSource[], env: Environment): number {
  const sources = sequence(document)
  const there = new Set((sources.toJSON() as unknown[]).map((raw) => identityOfRaw(raw, env)))
  const added = entries.filter((entry) => !there.has(identityOf(entry)))
  for (const entry of added) sources.add(nodeOf(document, entryOf(entry)))
  return added.length
}

/** Updates a file: changed values are written, entries of gone sources removed; all else keeps its form and comments. */
export function updateFile(document: Document, current: Current, env: Environment): void {
  const written: Written = { document, env }
  const sources = sequence(document)
  const seen = new Set<string>()
  for (let at = 0; at < sources.items.length; ) {
    const item = sources.items[at]
    const raw = isMap(item) ? (item.toJSON() as Fields) : null
    const identity = identityOfRaw(raw, env) ?? ''
    const now = current.sources.get(identity)
    if (!now || raw === null || seen.has(identity)) {
      sources.items.splice(at, 1)
      continue
    }
    seen.add(identity)
    const wanted = entryOf(now)
    for (const name of Object.keys(raw)) if (!(name in wanted)) document.deleteIn(['sources', at, name])
    for (const [name, value] of Object.entries(wanted)) {
      // Keep the file's own spelling of the name.
      if (name !== now.key) write(written, ['sources', at, name], value)
    }
    at += 1
  }
  addSources(document, [...current.sources.values()], env)
  const lists = writtenLists(current.exclusions ?? new Map())
  if (Object.keys(lists).length === 0) document.delete('exclusions')
  else write(written, ['exclusions'], lists)
  if (current.agent === undefined) document.delete('agent')
  else write(written, ['agent'], current.agent)
}

type Written = { readonly document: Document; readonly env: Environment }

function write(written: Written, path: readonly (string | number)[], value: unknown): void {
  const { document, env } = written
  const held = document.getIn(path, true) as { toJSON?(): unknown } | undefined
  const before = held !== null && typeof held === 'object' && held.toJSON ? held.toJSON() : held
  // Keep an environment reference that still resolves to this value.
  const missing: string[] = []
  if (JSON.stringify(resolved(before, env, missing)) === JSON.stringify(value) && missing.length === 0) return
  if (isMap(held) && typeof value === 'object' && value !== null && !Array.isArray(value)) {
    for (const name of Object.keys(held.toJSON() as Fields)) if (!(name in value)) document.deleteIn([...path, name])
    for (const [name, inner] of Object.entries(value)) write(written, [...path, name], inner)
    return
  }
  document.setIn(path, nodeOf(document, value))
}
