/** The architecture rules as functions of parsed files that return violations, so that a test can plant one. */
import { posix } from 'node:path'
import { type Node, type SourceFile, walk } from './code.ts'
import { writers } from './tables.ts'

/** An import. `to` is a path relative to the packages or a package name; `value`: it exists at run time (not only types). */
export type Edge = { readonly from: string; readonly to: string; readonly value: boolean; readonly dynamic: boolean }

const literal = (node: unknown): string | undefined => {
  const { type, value, quasis } = (node ?? {}) as { type?: string; value?: unknown; quasis?: readonly Node[] }
  if (type === 'Literal' && typeof value === 'string') return value
  if (type === 'TemplateLiteral' && quasis?.length === 1) return (quasis[0]!.value as { cooked: string }).cooked
  return undefined
}

/** Every import of a file, also dynamic, `require`, types and module augmentation; a computed target is `?`. */
export function edgesOf(file: SourceFile): Edge[] {
  const edges: Edge[] = []
  const add = (target: string, value: boolean, dynamic = false) =>
    edges.push({
      from: file.path,
      to: target.startsWith('.') ? posix.join(posix.dirname(file.path), target) : target,
      value,
      dynamic,
    })
  const isType = (specifiers: unknown) =>
    Array.isArray(specifiers) && specifiers.length > 0 && specifiers.every((each) => isTypeKind(each))
  const isTypeKind = (node: Node) => node.importKind === 'type' || node.exportKind === 'type'
  walk(file.ast, (node) => {
    if (
      node.type === 'ImportDeclaration' ||
      node.type === 'ExportNamedDeclaration' ||
      node.type === 'ExportAllDeclaration'
    ) {
      const source = literal(node.source)
      if (source !== undefined) add(source, !isTypeKind(node) && !isType(node.specifiers))
    } else if (node.type === 'ImportExpression') add(literal(node.source) ?? '?', true, true)
    else if (node.type === 'TSImportType') {
      const source = literal(node.source) ?? literal((node.argument as { literal?: unknown } | undefined)?.literal)
      if (source !== undefined) add(source, false)
    } else if (node.type === 'TSModuleDeclaration') {
      const source = literal(node.id)
      if (source !== undefined) add(source, false)
    } else if (node.type === 'CallExpression' && (node.callee as Node).name === 'require') {
      const source = literal((node.arguments as readonly Node[])[0])
      if (source !== undefined) add(source, true, true)
    }
  })
  return edges
}

/** Groups of files that import each other cyclically at run time: strongly connected components (Tarjan). */
export function cyclesOf(edges: readonly Edge[]): string[][] {
  const next = new Map<string, string[]>()
  for (const { from, to, value } of edges) if (value) next.set(from, [...(next.get(from) ?? []), to])
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []
  const visit = (file: string): void => {
    index.set(file, index.size)
    low.set(file, index.get(file)!)
    stack.push(file)
    for (const other of next.get(file) ?? []) {
      if (!next.has(other)) continue
      if (!index.has(other)) {
        visit(other)
        low.set(file, Math.min(low.get(file)!, low.get(other)!))
      } else if (stack.includes(other)) low.set(file, Math.min(low.get(file)!, index.get(other)!))
    }
    if (low.get(file) !== index.get(file)) return
    const group = stack.splice(stack.indexOf(file))
    if (group.length > 1 || next.get(file)?.includes(file)) cycles.push(group.sort())
  }
  for (const file of next.keys()) if (!index.has(file)) visit(file)
  return cycles
}

/** How a file uses a table. */
export type TableUse = { readonly table: string; readonly writes: boolean }

const names = Object.keys(writers).join('|')
const written = new RegExp(String.raw`\b(?:insert\s+into|update|delete\s+from)\s+(${names})\b`, 'gi')
const readFrom = new RegExp(String.raw`\b(?:from|join)\s+(?:only\s+)?(${names})\b`, 'gi')
const builders: Readonly<Record<string, boolean>> = {
  insertInto: true,
  updateTable: true,
  deleteFrom: true,
  selectFrom: false,
  innerJoin: false,
  leftJoin: false,
  using: false,
}

/** The tables a file reads and writes, named through Kysely or in SQL text. */
export function tablesOf(file: SourceFile): TableUse[] {
  const uses: TableUse[] = []
  const inText = (text: string) => {
    const writes = [...text.matchAll(written)].map((match) => match[1]!.toLowerCase())
    for (const table of writes) uses.push({ table, writes: true })
    for (const match of text.replace(/delete\s+from/gi, 'delete').matchAll(readFrom))
      uses.push({ table: match[1]!.toLowerCase(), writes: false })
  }
  walk(file.ast, (node) => {
    if (node.type === 'TemplateLiteral')
      inText((node.quasis as readonly Node[]).map((each) => (each.value as { raw: string }).raw).join(' $ '))
    else if (node.type === 'Literal' && typeof node.value === 'string' && /\s/.test(node.value)) inText(node.value)
    if (node.type !== 'CallExpression' || (node.callee as Node).type !== 'MemberExpression') return
    const method = ((node.callee as Node).property as Node).name as string
    if (!Object.hasOwn(builders, method)) return
    const first = (node.arguments as readonly Node[])[0]
    const given = first?.type === 'ArrayExpression' ? (first.elements as readonly Node[]) : [first]
    for (const each of given) {
      const table = literal(each)?.split(/\s+/)[0]
      if (table !== undefined && Object.hasOwn(writers, table)) uses.push({ table, writes: builders[method]! })
    }
  })
  return uses
}
