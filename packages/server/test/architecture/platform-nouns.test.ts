/** `platform` knows no business: no name in it is a noun of what the service sells, and the few that stay say why. */
import { describe, expect, it } from 'vitest'
import { parseFile, parseFolder, walk, type SourceFile } from './code.ts'

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Nouns of the business, as parts of a name of anything in platform: a thing, a field, a file. */
const business = words(`
  campaign campaigns capture captured captures caller callers comment comments companies company credit credits
  deliveries delivery engagement engagements engager engagers enriched enrichment icp influencer influencers keyword
  keywords lead leads ledger member members outreach people person plan plans post posts profile profiles quota quotas
  reaction reactions score scoring vendor vendors webhook webhooks
`)

/** Nouns that are ordinary words of machines too (a source of code, a hold on a file): refused in what is exported. */
const ambiguous = words(`
  account accounts agent agents hold operator operators price prices push pushes search searches session sessions
  source sources sync
`)

/** Where a noun stays, with the reason. A team is no noun of this list: it is the tenant that rows, turns and keys are of. */
const exempt: readonly { readonly path: RegExp; readonly name: RegExp; readonly why: string }[] = [
  { path: /tracing\.ts$/, name: /^followCaller$/, why: 'whoever calls over HTTP, as the W3C calls it' },
  { path: /db\/embedded-cluster\.ts$/, name: /^syncFolder$/, why: 'writing a folder to the disk' },
  { path: /work\//, name: /^holdInHand$/, why: 'work that is kept while it is worked on' },
]

const parts = (name: string): string[] =>
  name
    .split(/[^A-Za-z0-9]|_|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
    .map((part) => part.toLowerCase())
    .filter((part) => part !== '')

/** Names of a file that are business: every name in it by the strict list, what it exports and its own by both. */
function businessNames(file: SourceFile): string[] {
  const found = new Set<string>()
  const path = file.path.replace(/^server\/src\/platform\//, '')
  const see = (name: string, exported: boolean) => {
    const isBusiness = parts(name).some((part) => business.has(part) || (exported && ambiguous.has(part)))
    const isExempt = exempt.some((each) => each.path.test(path) && each.name.test(name))
    if (isBusiness && !isExempt) found.add(`${path}: ${name}`)
  }
  see(path.replace(/\.ts$/, ''), true)
  walk(file.ast, (node, parents) => {
    if (node.type !== 'Identifier') return
    const [declared, outer, outermost] = [parents.at(-1), parents.at(-2), parents.at(-3)]
    const exported = declared?.id === node && [outer, outermost].some((each) => each?.type === 'ExportNamedDeclaration')
    see(node.name as string, exported || declared?.type === 'ExportSpecifier')
  })
  return [...found]
}

describe('platform', () => {
  it('names no noun of the business', () => {
    expect(parseFolder('server/src/platform').flatMap(businessNames)).toEqual([])
  })
  it.each([
    ['a type', 'export type LeadRow = { readonly id: string }', 'LeadRow'],
    ['a field of a type', 'type Row = { readonly credit_cap: number }', 'credit_cap'],
    ['a variable inside', 'function a() { const webhookUrl = 1; return webhookUrl }', 'webhookUrl'],
    ['an exported function', 'export function openSource() {}', 'openSource'],
    ['a re-export', "export { labelOfSource } from './label.ts'", 'labelOfSource'],
  ])('%s that is business is seen', (_what, text, name) => {
    expect(businessNames(parseFile('server/src/platform/x.ts', text))).toEqual([`x.ts: ${name}`])
  })
  it('a file that is business is seen, and a word with another sense inside is let be', () => {
    expect(businessNames(parseFile('server/src/platform/db/source-label.ts', ''))).toHaveLength(1)
    expect(businessNames(parseFile('server/src/platform/x.ts', 'const agent = source.push(session)'))).toEqual([])
  })
})
