/** The laws of the tests as functions of parsed files: each answers what breaks it, so that a test can plant a violation. */
import { type Node, type SourceFile, walk } from './code.ts'

/** The fewest characters that a text sought in a page or an answer has: random ids, hashes and times hold any shorter one. */
export const fewestCharacters = 4

const textOf = (node: unknown): string | undefined => {
  const { type, value, quasis } = (node ?? {}) as { type?: string; value?: unknown; quasis?: readonly Node[] }
  if (type === 'Literal' && typeof value === 'string') return value
  return type === 'TemplateLiteral' && quasis?.length === 1
    ? (quasis[0]!.value as { cooked: string }).cooked
    : undefined
}
const patternOf = (node: unknown): string | undefined =>
  ((node ?? {}) as { regex?: { readonly pattern: string } }).regex?.pattern
const argumentsOf = (call: Node) => call.arguments as readonly Node[]
const propertiesOf = (node: Node | undefined) =>
  node?.type === 'ObjectExpression' ? (node.properties as readonly Node[]) : []
const keyOf = (property: Node) => (property.key as Node | undefined)?.name
const placeOf = ({ path, text }: SourceFile, { start, end }: Node) =>
  `${path}: ${text.slice(start, end).replace(/\s+/g, ' ')}`

/** Whether what is sought is so short that an id beside it may hold it; letters and digits alone are what ids are made of. */
function isShort(node: unknown): boolean {
  const sought = textOf(node) ?? patternOf(node)
  return sought !== undefined && sought.length < fewestCharacters && /^[\w-]+$/.test(sought)
}

/** Searches of a page for a text that is a part of anything: `getByText('77')`, `{ hasText: '77' }`; `exact: true` seeks the whole. */
export function shortSearches(file: SourceFile): string[] {
  const found: string[] = []
  walk(file.ast, (node) => {
    if (node.type === 'Property' && keyOf(node) === 'hasText' && isShort(node.value)) found.push(placeOf(file, node))
    if (node.type !== 'CallExpression' || keyOfCall(node) !== 'getByText' || !isShort(argumentsOf(node)[0])) return
    const isExact = propertiesOf(argumentsOf(node)[1]).some(
      (property) => keyOf(property) === 'exact' && (property.value as Node).value === true,
    )
    if (!isExact) found.push(placeOf(file, node))
  })
  return found
}

const keyOfCall = (call: Node) => ((call.callee as Node).property as Node | undefined)?.name

/** Expectations that a written-out answer holds, or does not hold, a text so short that an id in it may hold it by chance. */
export function shortExpectations(file: SourceFile): string[] {
  const found: string[] = []
  walk(file.ast, (node) => {
    if (node.type !== 'CallExpression' || !isShort(argumentsOf(node)[0])) return
    const written = file.text.slice((node.callee as Node).start, (node.callee as Node).end)
    const isText = /stringify|\.text\b|[tT]ext\(\)|\.html|\.url\(\)|stdout|stderr|\.raw\b/.test(written)
    if (['toContain', 'toMatch'].includes(String(keyOfCall(node))) && isText) found.push(placeOf(file, node))
  })
  return found
}

/** Accounts with an address written out: a second try of the test meets the account of the first and can never pass. */
export function fixedAccounts(file: SourceFile): string[] {
  const found: string[] = []
  walk(file.ast, (node) => {
    if (node.type !== 'CallExpression' || !['signUp', 'memberOf'].includes(String(calledName(node)))) return
    const given = argumentsOf(node).flatMap(propertiesOf)
    if (given.some((each) => keyOf(each) === 'email' && textOf(each.value) !== undefined))
      found.push(placeOf(file, node))
  })
  return found
}

/** Properties over every character by fast-check's unit `binary`, which takes seconds to be made: `server/test/any-text.ts` is for them. */
export function slowUnits(file: SourceFile): string[] {
  const found: string[] = []
  walk(file.ast, (node) => {
    if (node.type === 'Property' && keyOf(node) === 'unit' && textOf(node.value) === 'binary')
      found.push(placeOf(file, node))
  })
  return found
}

const functions = ['ArrowFunctionExpression', 'FunctionExpression', 'FunctionDeclaration']

/** The name of what is called: `f` of `f(…)`, `g` of `x.g(…)`, and `it` of `it.each(…)(…)`. */
function calledName(call: Node, root = false): string | undefined {
  let callee = call.callee as Node
  while (root && (callee.type === 'MemberExpression' || callee.type === 'CallExpression'))
    callee = (callee.type === 'MemberExpression' ? callee.object : callee.callee) as Node
  return ((callee.type === 'MemberExpression' ? callee.property : callee) as Node).name as string | undefined
}

/** Milliseconds that a build gives every test, and every poll (`vitest.config.ts`): a bound that is written down is there to be longer. */
export const given = { test: 120_000, poll: 20_000 } as const

const bounded = ['it', 'test', 'describe', 'beforeAll', 'beforeEach', 'afterAll', 'afterEach']

/** Tests, hooks and polls that bound themselves more tightly than a build does: on a machine that stands still they fail first. */
export function tightBounds(file: SourceFile): string[] {
  const found: string[] = []
  walk(file.ast, (node) => {
    if (node.type !== 'CallExpression') return
    const isTest = bounded.includes(String(calledName(node, true)))
    if (!isTest && calledName(node) !== 'poll') return
    const written = argumentsOf(node).flatMap((each) => [
      each.value,
      ...propertiesOf(each)
        .filter((property) => keyOf(property) === 'timeout')
        .map(({ value }) => (value as Node).value),
    ])
    if (written.some((value) => typeof value === 'number' && value < (isTest ? given.test : given.poll)))
      found.push(`${placeOf(file, node).slice(0, 120)} …`)
  })
  return found
}

/** What a piece of code calls or hands on by name, and whether it throws by itself. */
function saidIn(node: Node): { readonly names: ReadonlySet<string>; readonly throws: boolean } {
  const names = new Set<string>()
  let throws = false
  walk(node, (each) => {
    if (each.type === 'ThrowStatement') throws = true
    if (each.type === 'CallExpression') {
      for (const name of [calledName(each), calledName(each, true)]) if (name !== undefined) names.add(name)
      for (const given of argumentsOf(each)) if (given.type === 'Identifier') names.add(given.name as string)
    }
  })
  return { names, throws }
}

/** Calls that fail by themselves: of Vitest, of fast-check, and Playwright's wait for what a page has to show. */
const failing: readonly string[] = ['expect', 'assert', 'expectTypeOf', 'waitFor', 'waitForURL', 'waitForFunction']

/** Names in a file that assert: what fails by itself, helpers called `expect…`, and its own functions that reach one of them. */
function assertingNames({ ast }: SourceFile): (said: ReturnType<typeof saidIn>) => boolean {
  const known = new Set(failing)
  const bodies: { readonly name: string; readonly said: ReturnType<typeof saidIn> }[] = []
  walk(ast, (node) => {
    const value = (node.type === 'VariableDeclarator' ? node.init : node) as Node | null
    const name = (node.id as Node | undefined)?.name
    if (value && functions.includes(value.type) && typeof name === 'string') bodies.push({ name, said: saidIn(value) })
  })
  const asserts = ({ names, throws }: ReturnType<typeof saidIn>) =>
    throws || [...names].some((each) => known.has(each) || /^expect[A-Z]/.test(each))
  for (let before = -1; before !== known.size; ) {
    before = known.size
    for (const { name, said } of bodies) if (asserts(said)) known.add(name)
  }
  return asserts
}

/** Tests of a file that assert nothing: no expectation, no helper that has one, nothing that throws. */
export function silentTests(file: SourceFile): string[] {
  const found: string[] = []
  const asserts = assertingNames(file)
  walk(file.ast, (node) => {
    if (node.type !== 'CallExpression' || !['it', 'test'].includes(String(calledName(node, true)))) return
    const body = argumentsOf(node).find((each) => functions.includes(each.type))
    const isTest = argumentsOf(node).length > 1 && keyOfCall(node) !== 'each' && keyOfCall(node) !== 'extend'
    if (!isTest || body === undefined) return
    if (!asserts(saidIn(body))) found.push(placeOf(file, argumentsOf(node)[0]!))
  })
  return found
}
