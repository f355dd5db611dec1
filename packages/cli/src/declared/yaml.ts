/** The file itself: YAML whose comments are kept, with values that may stand in the environment instead. */
import { isMap, isSeq, parseDocument, visit, type Document, type Node, type YAMLSeq } from 'yaml'
import { usage } from '../failure.ts'
import type { Current } from './current.ts'
import { written as writtenLists } from './exclusions.ts'
import { identityOf, sourceKeys, type DeclaredSource, type Fields } from './document.ts'

// One `$` reads the environment; each further one stands for itself: `$${env:NAME}` is the text `${env:NAME}`.
const reference = /^(\$+)\{env:([A-Za-z_][A-Za-z0-9_]*)\}$/

/** A value as a file writes it: a text that only looks like a reference gets a `$` more, so that it is read as itself. */
export function escaped(value: unknown): unknown {
  if (typeof value === 'string') return reference.test(value) ? `$${value}` : value
  if (Array.isArray(value)) return value.map(escaped)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, escaped(inner)]))
}

/**
 * A value with what stands in the environment put in; names of variables that are not set are collected. Names of
 * fields never stand for anything else.
 */
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

/** Parses a file; refuses what is no YAML, with the line. */
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

/** A source as a file writes it; sections that say nothing are left out. */
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
    // An empty list is written in one line; its first entry begins lines of its own.
    sources.flow = false
    return sources
  }
  document.set('sources', document.createNode([]))
  return document.get('sources') as YAMLSeq
}

/** The environment that references of a file are read from. */
type Environment = Readonly<Record<string, string | undefined>>

// A text in lines of its own loses blanks at the begin of a line when it is read again.
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

/** What identifies the source of an entry as it stands in a file; null for what is no entry. */
function identityOfRaw(raw: unknown, env: Environment): string | null {
  const entry = raw as Fields | null
  const key = sourceKeys.find((name) => entry !== null && typeof entry === 'object' && name in entry)
  return key === undefined ? null : identityOf({ key, name: resolved(entry![key], env, []) as string | string[] })
}

/** Puts entries into a file: what is declared there already is left, comments with it; gives how many were added. */
export function addSources(document: Document, entries: readonly DeclaredSource[], env: Environment): number {
  const sources = sequence(document)
  const there = new Set((sources.toJSON() as unknown[]).map((raw) => identityOfRaw(raw, env)))
  const added = entries.filter((entry) => !there.has(identityOf(entry)))
  for (const entry of added) sources.add(nodeOf(document, entryOf(entry)))
  return added.length
}

/**
 * Brings a file up to what there is: values that differ are written, entries of what is gone are taken out, the rest
 * keeps its form and comments.
 */
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
      // However the file writes the name of this source, it is this source.
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

/** A file that is written to, and the environment that its references are read from. */
type Written = { readonly document: Document; readonly env: Environment }

function write(written: Written, path: readonly (string | number)[], value: unknown): void {
  const { document, env } = written
  const held = document.getIn(path, true) as { toJSON?(): unknown } | undefined
  const before = held !== null && typeof held === 'object' && held.toJSON ? held.toJSON() : held
  // A reference to the environment stays one while it leads to the same value.
  const missing: string[] = []
  if (JSON.stringify(resolved(before, env, missing)) === JSON.stringify(value) && missing.length === 0) return
  if (isMap(held) && typeof value === 'object' && value !== null && !Array.isArray(value)) {
    for (const name of Object.keys(held.toJSON() as Fields)) if (!(name in value)) document.deleteIn([...path, name])
    for (const [name, inner] of Object.entries(value)) write(written, [...path, name], inner)
    return
  }
  document.setIn(path, nodeOf(document, value))
}
