/**
 * Tells Stryker what is written for readers and decides nothing: descriptions, summaries and examples of fields and operations, and what
 * stands in their place in the OpenAPI description. `npm run check` compares all of it with the files under docs/generated, word for word.
 */

/** The parts of a syntax tree (Babel) that are looked at. */
type Place = {
  readonly listKey?: string
  readonly node: { readonly type: string; readonly key?: { readonly name?: string } }
  readonly parent?: {
    readonly type: string
    readonly callee?: { readonly property?: { readonly name?: string } }
  } | null
}

const forReaders: readonly string[] = ['about', 'description', 'example', 'examples', 'openapi', 'summary']

const isDocumentation = ({ node, parent, listKey }: Place): boolean =>
  (node.type === 'ObjectProperty' && forReaders.includes(node.key?.name ?? '')) ||
  (listKey === 'arguments' && parent?.type === 'CallExpression' && parent.callee?.property?.name === 'meta')

/** What Stryker loads. */
export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'documentation',
    value: { shouldIgnore: (place: Place) => (isDocumentation(place) ? 'written for readers' : undefined) },
  },
]
