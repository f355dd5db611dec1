import { parseAst } from 'rolldown/parseAst'

/** A literal's source, flags and line (from 1). */
export type FoundRegex = { readonly source: string; readonly flags: string; readonly line: number }

/** Every regular expression literal of a TypeScript text, in order. */
export function findRegexes(text: string, lang: 'ts' | 'tsx' = 'ts'): FoundRegex[] {
  const found: FoundRegex[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { regex, start } = node as { regex?: { pattern: string; flags: string }; start: number }
    if (regex) found.push({ source: regex.pattern, flags: regex.flags, line: text.slice(0, start).split('\n').length })
    else Object.values(node).forEach(visit)
  }
  visit(parseAst(text, { lang }))
  return found
}
