import type { OperationId } from '@les/contract'

/** The groups of tools a caller can choose between with `?toolsets=`. */
export const toolsets = ['leads', 'sources', 'keyword', 'discover', 'agent', 'outreach', 'account'] as const

/** One of them. */
export type Toolset = (typeof toolsets)[number]

/** A tool, as data; its arguments and answers are read off the operations it carries. */
export type ToolEntry = {
  readonly name: string
  readonly title: string
  /** The first is its home; a tool is offered when any of them is chosen. */
  readonly toolsets: readonly Toolset[]
  readonly description: string
  /** Arguments that choose the operation; the default is used when one is left out. */
  readonly selectors: readonly { readonly name: string; readonly default?: string }[]
  /** Selector values to operation id; a tool without selectors has one entry with the empty text. */
  readonly operations: Readonly<Record<string, OperationId>>
  /** Arguments the tool fills in itself. */
  readonly preset?: Readonly<Record<string, unknown>>
  /** Fields of its operations that it does not offer: another tool does. */
  readonly omit?: readonly string[]
  /** What its writes are: `adds` and `changes` keep what was there, `removes` may take it away. */
  readonly effect?: 'changes' | 'removes'
  /** Doing it twice changes no more than doing it once. */
  readonly repeatable?: boolean
  /** It reaches beyond the team's own records: the network, a webhook, the outreach platform. */
  readonly outside?: boolean
}

/** The argument that says how a source is named. */
export const by = { name: 'by', default: 'source' } as const
