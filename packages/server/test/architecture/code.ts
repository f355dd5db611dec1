import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'rolldown/parseAst'

/** The folder of the packages. */
export const packages = resolve(dirname(fileURLToPath(import.meta.url)), '../../..')

/** A node of the syntax tree (ESTree with TypeScript); its other fields depend on `type`. */
export type Node = {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

/** A file, parsed when `ast` is first read. `path` is relative to the folder of the packages. */
export type SourceFile = { readonly path: string; readonly text: string; readonly ast: Node }

/** Parses a text as the file at `path`. */
export function parseFile(path: string, text: string): SourceFile {
  let ast: Node | undefined
  const parse = () => parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node
  return {
    path,
    text,
    get ast() {
      ast ??= parse()
      return ast
    },
  }
}

/** TypeScript files under a folder of the packages, without fixtures and declarations. */
export function parseFolder(folder: string, options: { readonly tests?: boolean } = {}): SourceFile[] {
  return readdirSync(join(packages, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts'))
    .filter((entry) => options.tests === true || !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => parseFile(relative(packages, file), readFileSync(file, 'utf8')))
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'

/** Calls `see` for every node, parents first, with its ancestors, nearest last (a reused list: do not keep it). */
export function walk(node: Node, see: (node: Node, parents: readonly Node[]) => void, parents: Node[] = []): void {
  see(node, parents)
  parents.push(node)
  for (const value of Object.values(node)) {
    if (isNode(value)) walk(value, see, parents)
    else if (Array.isArray(value)) for (const each of value) if (isNode(each)) walk(each, see, parents)
  }
  parents.pop()
}
