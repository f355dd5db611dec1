/**
 * The operations of the contract as data for commands: made from the registry by `npm run generate` and read from a file, because
 * loading every schema to print a help text would take longer than people wait for one.
 */

/** What a flag's text stands for; `any` is JSON when it reads as JSON, else text. */
export type FieldKind = 'text' | 'number' | 'boolean' | 'list' | 'json' | 'any'

export type Field = {
  readonly name: string
  /** Without the leading dashes. */
  readonly flag: string
  readonly kind: FieldKind
  /** Of the items when `kind` is list. */
  readonly itemKind: FieldKind
  /** A list whose items can hold no comma, so that commas may separate them. */
  readonly byCommas?: true
  /** The literal `null` means null. */
  readonly nullable: boolean
  readonly required: boolean
  readonly choices?: readonly string[] | undefined
  /** For the help: what it is, its bounds and its default. */
  readonly description: string
}

/** The one list of an answer: its property, the fields of its rows, those of them that hold a plain value or who is excluded, and those shown as columns. */
export type ListShape = {
  readonly name: string
  readonly fields: readonly string[]
  readonly plain: readonly string[]
  readonly columns: readonly string[]
}

export type AnswerShape = {
  readonly fields: readonly string[]
  readonly list: ListShape | null
  /** It holds a signing secret (masked unless asked for, G46). */
  readonly secret: boolean
  /** It is a page: `limit` and `offset` ask, `hasMore` answers. */
  readonly paged: boolean
}

export type Entry = {
  readonly id: string
  readonly words: readonly string[]
  readonly method: string
  /** It can cost credits: sent with an Idempotency-Key whatever its method, and repeated only under it. */
  readonly charges: boolean
  /** It asks for a person who signed in: no key opens it. */
  readonly person?: true
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description: string
  /** Path parameters, in the order they stand in the path. */
  readonly positionals: readonly string[]
  readonly fields: readonly Field[]
  readonly answer: AnswerShape
  /** Command lines that call it, simplest first. */
  readonly examples: readonly string[]
}

/** The catalogue as `npm run generate` writes it. */
export type Catalogue = {
  readonly version: string
  readonly basePath: string
  readonly entries: readonly Entry[]
  /** Operations of the interface of sessions that are commands too. */
  readonly person: readonly Entry[]
}

/** Turns a camelCase field into its kebab-case flag (CLI-02). */
export function kebabCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase()
}
