/** One tool call: chooses the operation, runs it, and asks before spending. */
import type { OperationId } from '@les/contract'
import type { CallToolResult, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server'
import { errorResult, refusalText, successResult, type ToolAnswer } from './answer.ts'
import { brief, pageOfTools, readDetail, type Detail } from './brief.ts'
import { readFields } from './arguments.ts'
import type { Choice, Tool } from './definition.ts'
import type { Properties } from './schema.ts'
import { unfenced } from './untrusted.ts'
import {
  asksToSpend,
  askToSpend,
  changedText,
  costsOf,
  quote,
  readConsent,
  refusedTexts,
  type SpendQuestions,
} from './spend.ts'

export type DispatchSettings = {
  readonly idempotencyKey?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** This call performs what the previous call of the same tool call was quoted for; both count as one API call. */
  readonly confirms?: boolean | undefined
}

/** Runs an operation; refusals are answers, and an exception is a bug. */
export type Dispatch = (
  operationId: OperationId,
  input: Readonly<Record<string, unknown>>,
  settings: DispatchSettings,
) => Promise<ToolAnswer>

/** `newKey` makes the Idempotency-Key of a charging call that has none. */
type CallParts = {
  readonly dispatch: Dispatch
  readonly questions: SpendQuestions
  readonly canAsk: () => boolean
  readonly newKey: () => string
}

type Arguments = Readonly<Record<string, unknown>>

const names = (list: readonly string[]) => list.map((name) => `\`${name}\``).join(', ')

/** A text says why there is no choice. */
function choose(tool: Tool, given: Arguments): Choice | string {
  const values: string[] = []
  for (const [index, { name, default: fallback }] of tool.entry.selectors.entries()) {
    const options = [...new Set(tool.choices.map(({ key }) => key.split(' ')[index]!))]
    const value = given[name] ?? fallback
    if (typeof value !== 'string' || !options.includes(value)) return `\`${name}\` must be one of ${names(options)}`
    values.push(value)
  }
  const key = values.join(' ')
  return (
    tool.choices.find((choice) => choice.key === key) ??
    `${values.join(' with ')} is not offered: the choices are ${names(tool.choices.map((choice) => choice.key))}`
  )
}

/** Taken by every tool, since clients with an outdated tool list send them anywhere. `confirmSpend` has no effect. */
const extras: Properties = {
  idempotencyKey: { type: 'string' },
  showSecret: { type: 'boolean' },
  quoteToken: { type: 'string' },
  confirmSpend: { type: 'boolean' },
  detail: { type: 'string' },
  fields: { type: 'array', items: { type: 'string' } },
}

/** Refuses unknown arguments: a misspelt one would silently have no effect. */
function unknownFields(tool: Tool, choice: Choice, given: Arguments): string | null {
  const selectors = tool.entry.selectors.map(({ name }) => name)
  const wrong = Object.keys(given).filter(
    (name) => !selectors.includes(name) && !choice.fields.includes(name) && !Object.hasOwn(extras, name),
  )
  if (wrong.length === 0) return null
  return (
    `${names(wrong)} ${wrong.length === 1 ? 'is no argument' : 'are no arguments'} ` +
    `of ${choice.key === '' ? tool.entry.name : `${tool.entry.name} (${choice.key})`}: ` +
    `it takes ${choice.fields.length === 0 ? 'none' : names(choice.fields)}`
  )
}

type Quote = { readonly token: string; readonly idempotencyKey: string | undefined }

/** The call that confirms a quote: the same arguments with the token and the key. */
function repeatCall(tool: Tool, given: Arguments, { token, idempotencyKey }: Quote): string {
  const { confirmSpend: _yes, quoteToken: _old, ...same } = given
  return `${tool.entry.name} ${JSON.stringify({ ...same, ...(idempotencyKey === undefined ? {} : { idempotencyKey }), quoteToken: token })}`
}

function quoteText(repeated: string, answer: ToolAnswer, hasKey: boolean): string {
  return [
    ...refusalText(answer)
      .split('\n')
      .filter((line) => !line.startsWith('What to do: ')),
    `${quote(answer.body)}. Nothing was created, changed or charged.`,
    'Show these figures to the user. Only after their yes, within ten minutes, ' +
      `repeat exactly this call: ${repeated}`,
    'The token counts once, for these arguments and these figures; confirmSpend is no yes here.',
    ...(hasKey ? ['If no answer comes, send that call again: under its idempotencyKey it charges once.'] : []),
  ].join('\n')
}

/** The given fields and the tool's presets, if the operation takes all of them. */
function inputOf(tool: Tool, choice: Choice, given: Arguments): Arguments {
  const fields = Object.fromEntries(
    Object.entries(given).filter(([name, value]) => choice.fields.includes(name) && value !== undefined),
  )
  const paged = choice.isList && fields.limit === undefined ? { limit: pageOfTools } : {}
  const presetFits = Object.keys(tool.entry.preset ?? {}).every((name) => takes(choice, name))
  return { ...(presetFits ? tool.entry.preset : {}), ...paged, ...fields }
}

type Understood = {
  readonly choice: Choice
  readonly given: Arguments
  readonly detail: Detail
  readonly asked: Arguments
}

/** A text says why the call means no operation. */
function understand(tool: Tool, sent: Arguments): Understood | string {
  const written = unfenced(sent) as Arguments
  const choice = choose(tool, written)
  if (typeof choice === 'string') return choice
  // Strict clients send every argument of a tool, null for those of other choices.
  const own = tool.inputSchema.properties as Properties
  const schemas = Object.fromEntries(
    Object.keys(own).map((name) => [name, choice.fields.includes(name) ? choice.schemas[name]! : own[name]!]),
  )
  const given = unfenced(readFields(written, { ...extras, ...schemas })) as Arguments
  const wrong = unknownFields(tool, choice, given)
  if (wrong !== null) return wrong
  const detail = readDetail(given)
  if (typeof detail === 'string') return detail
  return { choice, given, detail, asked: inputOf(tool, choice, given) }
}

/** True when a call names an operation with valid arguments. */
export const isUnderstood = (tool: Tool, sent: Arguments): boolean => typeof understand(tool, sent) !== 'string'

/** Calls a tool; never throws because of the caller. */
export async function callTool(
  parts: CallParts,
  tool: Tool,
  { sent, context }: { readonly sent: Arguments; readonly context: ServerContext },
): Promise<CallToolResult | InputRequiredResult> {
  const understood = understand(tool, sent)
  if (typeof understood === 'string') return errorResult(`Error 400: ${understood}.`)
  const { choice, given, detail, asked } = understood
  const { id } = choice.operation
  const idempotencyKey =
    typeof given.idempotencyKey === 'string'
      ? given.idempotencyKey
      : choice.operation.charges
        ? parts.newKey()
        : undefined
  const settings = { idempotencyKey, signal: context.mcpReq.signal }
  const question = { operationId: id, input: asked }
  const finish = (answer: ToolAnswer): CallToolResult => {
    if (answer.status >= 400) return errorResult(refusalText(answer))
    const answered: unknown = answer.body
    const { body, note } = brief(id, Array.isArray(answered) ? { items: answered } : answer.body, detail)
    return successResult(choice.operation.summary, body, { showSecret: given.showSecret === true, note })
  }
  const quoted = async (answer: ToolAnswer, above = ''): Promise<CallToolResult | InputRequiredResult> => {
    const token = await parts.questions.ask(question, costsOf(answer.body))
    if (parts.canAsk()) return askToSpend(`${above}${tool.entry.title}`, answer, token)
    const repeated = repeatCall(tool, given, { token, idempotencyKey })
    return errorResult(`${above}${quoteText(repeated, answer, idempotencyKey !== undefined)}`)
  }

  const consent = readConsent(context)
  if (consent?.yes === false)
    return errorResult('The user did not agree to the spending: nothing was created, changed or charged.')
  // If the client can ask its user, only the user's answer counts, not a token.
  const token = consent?.state ?? (parts.canAsk() ? undefined : given.quoteToken)
  const redeemed = token === undefined ? null : await parts.questions.redeem(String(token), question)
  // A used token with an Idempotency-Key may belong to a repeat after a lost answer: without the yes, that call can only be
  // replayed or quoted again.
  if (typeof redeemed === 'string' && !(redeemed === 'used' && typeof given.idempotencyKey === 'string'))
    return errorResult(refusedTexts[redeemed])
  const answer = await parts.dispatch(id, asked, settings)
  if (!asksToSpend(answer)) return finish(answer)
  if (redeemed === null || typeof redeemed === 'string') return await quoted(answer)
  if (!redeemed.holdsFor(costsOf(answer.body))) return await quoted(answer, `${changedText}\n`)
  return finish(await parts.dispatch(id, { ...asked, confirmSpend: true }, { ...settings, confirms: true }))
}

/** True when the operation has the field, whether or not the tool offers it. */
function takes(choice: Choice, name: string): boolean {
  const shape = (schema: unknown) => Object.keys((schema as { shape?: Record<string, unknown> } | null)?.shape ?? {})
  return [choice.operation.params, choice.operation.query, choice.operation.body].some((part) =>
    shape(part).includes(name),
  )
}
