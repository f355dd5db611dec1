/** Operations as data for commands, made by `npm run generate`: loading the registry's schemas would slow every start. */

/** How a flag's text is parsed; `any` is JSON where it parses as JSON, else text. */
export type FieldKind = 'text' | 'number' | 'boolean' | 'list' | 'json' | 'any'

export type Field = {
  readonly name: string
  /** Without the leading dashes. */
  readonly flag: string
  readonly kind: FieldKind
  readonly itemKind: FieldKind
  /** Items never contain commas, so commas may separate them. */
  readonly byCommas?: true
  /** The literal `null` means null. */
  readonly nullable: boolean
  readonly required: boolean
  readonly choices?: readonly string[] | undefined
  readonly description: string
}

/** The list in an answer; `plain` are the fields with plain values, and `excluded`. */
export type ListShape = {
  readonly name: string
  readonly fields: readonly string[]
  readonly plain: readonly string[]
  readonly columns: readonly string[]
}

export type AnswerShape = {
  readonly fields: readonly string[]
  readonly list: ListShape | null
  /** Contains a signing secret, masked unless asked for (G46). */
  readonly secret: boolean
  /** A page: takes `limit` and `offset`, answers `hasMore`. */
  readonly paged: boolean
}

export type Entry = {
  readonly id: string
  readonly words: readonly string[]
  readonly method: string
  /** Can cost credits: always sent with an Idempotency-Key, and retried only under it. */
  readonly charges: boolean
  /** Needs a signed-in person; API keys are refused. */
  readonly person?: true
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description: string
  readonly positionals: readonly string[]
  readonly fields: readonly Field[]
  readonly answer: AnswerShape
  /** Command lines, simplest first. */
  readonly examples: readonly string[]
}

/** The catalogue as `npm run generate` writes it. */
export type Catalogue = {
  readonly version: string
  readonly basePath: string
  readonly entries: readonly Entry[]
  /** Session-only operations that are also commands. */
  readonly person: readonly Entry[]
}

/** The kebab-case flag of a camelCase field (CLI-02). */
export function kebabCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase()
}
