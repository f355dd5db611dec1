/** No control of the dashboard is off without saying why: the kit's controls take a `reason`, and none takes `disabled`. */
import { describe, expect, it } from 'vitest'
import { parseFile, parseFolder, walk, type Node, type SourceFile } from './code.ts'

/** Parts of the kit that hand the attribute to the platform's or the library's own element, with the reason shown beside it. */
const within: Readonly<Record<string, readonly string[]>> = {
  'dashboard/src/ui/menu.tsx': ['Base.Item'],
  'dashboard/src/ui/field.tsx': ['option'],
}

const nameOf = (node: Node): string =>
  node.type === 'JSXMemberExpression'
    ? `${nameOf(node.object as Node)}.${nameOf(node.property as Node)}`
    : String(node.name)

/** Elements that are given `disabled`, and elements that are `aria-disabled` without words for it. */
function withoutReason(file: SourceFile): string[] {
  const found: string[] = []
  walk(file.ast, (node) => {
    if (node.type !== 'JSXOpeningElement') return
    const element = nameOf(node.name as Node)
    const attributes = (node.attributes as Node[])
      .filter(({ type }) => type === 'JSXAttribute')
      .map((attribute) => nameOf(attribute.name as Node))
    const line = file.text.slice(0, node.start).split('\n').length
    if (attributes.includes('disabled') && !within[file.path]?.includes(element))
      found.push(`${file.path}:${line} <${element} disabled>`)
    const isWorded = ['data-tip', 'aria-describedby', 'reason'].some((name) => attributes.includes(name))
    if (attributes.includes('aria-disabled') && !isWorded) found.push(`${file.path}:${line} <${element} aria-disabled>`)
  })
  return found
}

describe('controls that cannot be used', () => {
  it('say why, on every page of the dashboard', () => {
    const files = parseFolder('dashboard/src').filter(
      ({ path, text }) => path.endsWith('x') && text.includes('disabled'),
    )
    expect(files.length).toBeGreaterThan(3)
    expect(files.flatMap(withoutReason)).toEqual([])
  })

  it.each([
    ['<Button disabled />', 1],
    ['<Button disabled={!can} />', 1],
    ['<Button reason={why} />', 0],
    ['<button aria-disabled />', 1],
    ['<button aria-disabled={off} data-tip={why} />', 0],
    ['<Base.Item disabled={off} />', 1],
  ])('in %s %i is found', (text, number) => {
    expect(withoutReason(parseFile('dashboard/src/pages/x.tsx', `const x = ${text}`))).toHaveLength(number)
  })
})
