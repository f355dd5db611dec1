/**
 * Every expression that the project shows to people as an example: in the contract, its generated pages, the command
 * line, the dashboard, the docs.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const shown = ['README.md', 'AGENTS.md', 'CONTRIBUTING.md', 'docs', 'packages']
const skipped = /(?:^|\/)(?:node_modules|dist|test|pictures|testing)(?:\/|$)|\.test\.tsx?$/
const read = /\.(?:md|json|ts|tsx|txt|html)$/

function filesUnder(path: string): string[] {
  if (!path.includes('.'))
    return readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) =>
      below(join(path, entry.name), entry.isDirectory()),
    )
  return [path]
}
function below(path: string, isFolder: boolean): string[] {
  if (skipped.test(path)) return []
  if (!isFolder) return read.test(path) ? [path] : []
  return readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) =>
    below(join(path, entry.name), entry.isDirectory()),
  )
}

const unescaped = (text: string): string => text.replace(/\\+(["'])/g, '$1')

/**
 * Where examples stand: as a value of `expression`, after `--expression`, as a placeholder, in the code of a page,
 * after «such as», «write» and «for» in a message.
 */
const places: readonly { readonly in: RegExp; readonly finds: RegExp; readonly only?: RegExp }[] = [
  {
    in: /./,
    finds:
      /(?<!\?\s*["'])\bexpression\\*["']?\s*[:=]\s*(?:\\*'((?:[^'\\\n]|\\+["'])*?)\\*'|\\*"((?:[^"\\\n]|\\+["'])+)(?<!\\)")/g,
  },
  { in: /./, finds: /--expression\s+\\*'((?:[^'\\\n]|\\+")*)\\*'/g },
  { in: /\.tsx$/, finds: /placeholder=\{'([^'\n]*\b(?:AND|OR|NOT)\b[^'\n]*)'\}/g },
  { in: /\.md$/, finds: /`([^`\n]*)`/g, only: /[^ ] +(?:AND|OR|NOT) / },
  {
    in: /\.tsx?$/,
    finds: /(?:such as|write|for) ((?:\(?"?[a-z]+(?: [a-z]+)*"?\)?) (?:AND|OR|NOT) .*?)(?=[.:'`]| write)/g,
  },
]

/** A name of an operation or a sentence about expressions is none. */
const expressive = /\b(?:AND|OR|NOT)\b/

/** The examples, each once, with the files that show it. */
export function exampleExpressions(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const file of shown.flatMap(filesUnder)) {
    const text = readFileSync(join(root, file), 'utf8')
    for (const place of places.filter((one) => one.in.test(file))) {
      for (const match of text.matchAll(place.finds)) {
        const example = unescaped(match[1] ?? match[2] ?? '').trim()
        if (expressive.test(example) && (place.only?.test(example) ?? true))
          found.set(example, [...(found.get(example) ?? []), relative('.', file)])
      }
    }
  }
  return found
}
