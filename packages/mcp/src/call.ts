/** One call of a tool: which operation it means, what it answers, and the question before it spends. */
import type { OperationId } from '@les/contract'
import type { CallToolResult, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server'
import { errorResult, refusalText, successResult, type ToolAnswer } from './answer.ts'
import type { Choice, Tool } from './definition.ts'
import { asksToSpend, askToSpend, quote, readConsent, takenTexts, type SpendQuestions } from './spend.ts'

/** What a call of an operation may carry besides its fields. */
export type DispatchSettings = {
  readonly idempotencyKey?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** Runs an operation of the contract; refusals are answers, and a throw is a bug. */
export type Dispatch = (
  operationId: OperationId,
  input: Readonly<Record<string, unknown>>,
  settings: DispatchSettings,
) => Promise<ToolAnswer>

/** What a call needs from whoever serves the tools; `newKey` makes the Idempotency-Key of a call that can charge and was given none. */
export type CallParts = {
  readonly dispatch: Dispatch
  readonly questions: SpendQuestions
  readonly canAsk: () => boolean
  readonly newKey: () => string
}

type Arguments = Readonly<Record<string, unknown>>

const names = (list: readonly string[]) => list.map((name) => `\`${name}\``).join(', ')

/** The choice that the selectors make, or why they make none. */
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

const extras = ['idempotencyKey', 'showSecret'] as const

/** Refuses arguments the chosen operation does not take: a misspelt one would silently do nothing. */
function strangers(tool: Tool, choice: Choice, given: Arguments): string | null {
  const selectors = tool.entry.selectors.map(({ name }) => name)
  const wrong = Object.keys(given).filter(
    (name) =>
      !selectors.includes(name) && !choice.fields.includes(name) && !(extras as readonly string[]).includes(name),
  )
  if (wrong.length === 0) return null
  return `${names(wrong)} ${wrong.length === 1 ? 'is no argument' : 'are no arguments'} of ${choice.key === '' ? tool.entry.name : `${tool.entry.name} (${choice.key})`}: it takes ${choice.fields.length === 0 ? 'none' : names(choice.fields)}`
}

function repeatCall(tool: Tool, given: Arguments): string {
  return `${tool.entry.name} ${JSON.stringify({ ...given, confirmSpend: true })}`
}

/** A key for the call that spends: sent twice under it, since its answer was lost, it charges once. */
const keyText = (given: Arguments, idempotencyKey: string | undefined): string[] =>
  idempotencyKey === undefined || given.idempotencyKey !== undefined
    ? []
    : [
        `Add ${JSON.stringify({ idempotencyKey }).slice(1, -1)} to it: then it can be sent again when no answer comes, and charges once.`,
      ]

function quoteText(tool: Tool, given: Arguments, answer: ToolAnswer, idempotencyKey: string | undefined): string {
  return [
    refusalText(answer),
    `${quote(answer.body)}. Nothing was created, changed or charged.`,
    `Show these figures to the user. Only after their yes, repeat exactly this call: ${repeatCall(tool, given)}`,
    ...keyText(given, idempotencyKey),
  ].join('\n')
}

/** Calls a tool; never throws for anything the caller did. */
export async function callTool(
  parts: CallParts,
  tool: Tool,
  given: Arguments,
  context: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  const choice = choose(tool, given)
  if (typeof choice === 'string') return errorResult(`Error 400: ${choice}.`)
  const wrong = strangers(tool, choice, given)
  if (wrong !== null) return errorResult(`Error 400: ${wrong}.`)
  const { id } = choice.operation
  const fields = Object.fromEntries(
    Object.entries(given).filter(([name, value]) => choice.fields.includes(name) && value !== undefined),
  )
  const input = { ...tool.entry.preset, ...fields }
  const presetFits = Object.keys(tool.entry.preset ?? {}).every((name) => takes(choice, name))
  const asked = presetFits ? input : fields
  const idempotencyKey =
    typeof given.idempotencyKey === 'string'
      ? given.idempotencyKey
      : choice.operation.charges
        ? parts.newKey()
        : undefined
  const settings = { idempotencyKey, signal: context.mcpReq.signal }
  const finish = (answer: ToolAnswer): CallToolResult =>
    answer.status < 400
      ? successResult(choice.operation.summary, answer.body, given.showSecret === true)
      : errorResult(asksToSpend(answer) ? quoteText(tool, given, answer, idempotencyKey) : refusalText(answer))

  const consent = readConsent(context)
  if (consent) {
    if (!consent.yes)
      return errorResult('The user did not agree to the spending: nothing was created, changed or charged.')
    const taken = await parts.questions.take(consent.state, { operationId: id, input: asked })
    return taken === 'yours'
      ? finish(await parts.dispatch(id, { ...asked, confirmSpend: true }, settings))
      : errorResult(takenTexts[taken])
  }
  const answer = await parts.dispatch(id, asked, settings)
  if (!asksToSpend(answer) || given.confirmSpend === true || !parts.canAsk()) return finish(answer)
  return askToSpend(tool.entry.title, answer, await parts.questions.ask({ operationId: id, input: asked }))
}

/** True when the chosen operation has the field, whether the tool offers it or fills it in. */
function takes(choice: Choice, name: string): boolean {
  const shape = (schema: unknown) => Object.keys((schema as { shape?: Record<string, unknown> } | null)?.shape ?? {})
  return [choice.operation.params, choice.operation.query, choice.operation.body].some((part) =>
    shape(part).includes(name),
  )
}
