/**
 * Spending in two steps: an operation that costs first refuses with its figures; then the client asks its user, or, if it cannot,
 * repeats the call with the quote's token. A yes is for exactly these arguments and costs, counts once, and lasts ten minutes.
 */
import {
  acceptedContent,
  inputRequired,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { ToolAnswer } from './answer.ts'

/** An operation and its arguments, without the confirmation. */
export type SpendQuestion = { readonly operationId: string; readonly input: Readonly<Record<string, unknown>> }

/** Why a yes does not count. */
export type Refused = 'used' | 'expired' | 'other'

/** A confirmation that has been used up; `holdsFor` tells whether it covers these costs. */
type Confirmation = { readonly holdsFor: (costs: string) => boolean }

/** Keeps questions until they are answered. */
export type SpendQuestions = {
  /** Seals a question with its quoted costs into an opaque token for the client, valid for ten minutes. */
  ask(question: SpendQuestion, costs: string): Promise<string>
  /** Uses up a token that `ask` made for exactly this question. */
  redeem(token: string, question: SpendQuestion): Promise<Confirmation | Refused>
}

/** Fields of a refusal that are not costs, or change independently of them. */
const notCosts = ['error', 'code', 'requestId', 'remainingBalance', 'daysToExhaustAtCap']

/** The costs of a quote as canonical text, without the balance, which changes with every capture. */
export function costsOf(body: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(
    canonical(Object.fromEntries(Object.entries(body).filter(([name]) => !notCosts.includes(name)))),
  )
}

/** True when a refusal asks for a confirmation. */
export function asksToSpend(answer: ToolAnswer): boolean {
  return answer.status === 409 && answer.body.code === 'spend_confirmation_required'
}

const figures: Readonly<Record<string, (figure: number) => string>> = {
  estimatedDailyMax: (daily) => `up to ${daily} credits a day`,
  estimatedCredits: (once) => `up to ${once} credits once`,
  discoverCost: (once) => `up to ${once} credits once for the search for people`,
  remainingBalance: (balance) => `balance ${balance} credits`,
  daysToExhaustAtCap: (days) => `at that rate it lasts ${days} days`,
}

/** The figures of a quote as one sentence. */
export function quote(body: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(figures).flatMap(([name, inWords]) => {
    const figure = body[name]
    return typeof figure === 'number' ? [inWords(figure)] : []
  })
  return parts.length === 0 ? 'This creates or raises a charge' : `This can cost ${parts.join('; ')}`
}

/** True when the client can show its user a form. */
export function canAsk(
  capabilities: { readonly elicitation?: { readonly form?: unknown; readonly url?: unknown } | undefined } | undefined,
): boolean {
  const elicitation = capabilities?.elicitation
  // Clients from before elicitation modes declare an empty object, which means forms.
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
}

const consent = z.object({
  confirm: z
    .boolean()
    .meta({ title: 'Spend these credits', description: 'Yes performs the call; any other answer changes nothing.' }),
})

/** The question for the client: the figures and one yes or no. */
export function askToSpend(title: string, answer: ToolAnswer, state: string): InputRequiredResult {
  return inputRequired({
    inputRequests: {
      spend: inputRequired.elicit({ message: `${title}: ${quote(answer.body)}. Go ahead?`, requestedSchema: consent }),
    },
    requestState: state,
  })
}

/** The user's answer to a question of this call; null when there is none. */
export function readConsent(context: ServerContext): { readonly state: string; readonly yes: boolean } | null {
  const state = context.mcpReq.requestState<string>()
  if (typeof state !== 'string') return null
  return { state, yes: acceptedContent(context.mcpReq.inputResponses, 'spend', consent)?.confirm === true }
}

/** Why a yes does not count, and what to do. */
export const refusedTexts: Readonly<Record<Refused, string>> = {
  used: 'That confirmation was used before. Look whether the change was made; to make it again, call the tool afresh.',
  expired: 'That confirmation came too late. Call the tool again for a new quote.',
  other:
    'That confirmation is not for this call: it was made by another team, for other arguments, ' +
    'or was altered. Call the tool again for a new quote.',
}

/** Precedes a new quote when the old one no longer holds. */
export const changedText = 'The costs have changed since they were quoted, so that yes does not count for them.'

/** Beyond this, the oldest quotes are forgotten. */
const maxQuotes = 1_000

/** Keeps questions in this process, for one client on standard input and output; `ttlMs` is their life. */
export function questionsInMemory(clock: { now(): number; id(): string }, ttlMs = 600_000): SpendQuestions {
  const kept = new Map<
    string,
    { readonly about: string; readonly costs: string; readonly untilMs: number; used: boolean }
  >()
  const about = (question: SpendQuestion) => JSON.stringify([question.operationId, canonical(question.input)])
  return {
    ask: async (question, costs) => {
      for (const [id, { untilMs }] of kept)
        if (untilMs <= clock.now() - ttlMs || kept.size >= maxQuotes) kept.delete(id)
      const id = clock.id()
      kept.set(id, { about: about(question), costs, untilMs: clock.now() + ttlMs, used: false })
      return id
    },
    redeem: async (token, question) => {
      const asked = kept.get(token)
      if (!asked || asked.about !== about(question)) return 'other'
      if (asked.untilMs <= clock.now()) return 'expired'
      if (asked.used) return 'used'
      asked.used = true
      return { holdsFor: (costs) => costs === asked.costs }
    },
  }
}

/** Sorts object keys, so that equal arguments give equal JSON. */
export function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, inner]) => [name, canonical(inner)]),
  )
}
