/**
 * Spending in two steps. An operation that costs is first refused with its figures; where the client can ask its user, that
 * question is asked, and only this user's yes to exactly these arguments, given once and in time, performs it.
 */
import {
  acceptedContent,
  inputRequired,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { ToolAnswer } from './answer.ts'

/** What a question is about: an operation with its arguments, without the yes. */
export type SpendQuestion = { readonly operationId: string; readonly input: Readonly<Record<string, unknown>> }

/** What became of a yes. */
export type Taken = 'yours' | 'used' | 'expired' | 'other'

/** Remembers questions; whoever serves the tools decides where. */
export type SpendQuestions = {
  /** Seals a question; what comes out goes to the client, is opaque to it, and lasts some minutes. */
  ask(question: SpendQuestion): Promise<string>
  /** Uses a yes up: `yours` exactly once for what `ask` sealed, `other` for anything else. */
  take(state: string, question: SpendQuestion): Promise<Taken>
}

/** True for the refusal that asks for a yes. */
export function asksToSpend(answer: ToolAnswer): boolean {
  return answer.status === 409 && answer.body.code === 'spend_confirmation_required'
}

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

/** The figures of a quote as one sentence. */
export function quote(body: Readonly<Record<string, unknown>>): string {
  const daily = numberOf(body.estimatedDailyMax)
  const once = numberOf(body.estimatedCredits)
  const people = numberOf(body.discoverCost)
  const balance = numberOf(body.remainingBalance)
  const days = numberOf(body.daysToExhaustAtCap)
  const parts = [
    ...(daily === undefined ? [] : [`up to ${daily} credits a day`]),
    ...(once === undefined ? [] : [`up to ${once} credits once`]),
    ...(people === undefined ? [] : [`up to ${people} credits once for the search for people`]),
    ...(balance === undefined ? [] : [`balance ${balance} credits`]),
    ...(days === undefined ? [] : [`at that rate it lasts ${days} days`]),
  ]
  return parts.length === 0 ? 'This creates or raises a charge' : `This can cost ${parts.join('; ')}`
}

/** True when the client said that it can put a form before its user. */
export function canAsk(
  capabilities: { readonly elicitation?: { readonly form?: unknown; readonly url?: unknown } | undefined } | undefined,
): boolean {
  const elicitation = capabilities?.elicitation
  // An empty declaration is from before there were modes, and means forms.
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
}

const consent = z.object({
  confirm: z
    .boolean()
    .meta({ title: 'Spend these credits', description: 'Yes performs it; anything else changes nothing.' }),
})

/** The question as the client shows it: the figures and one yes or no. */
export function askToSpend(title: string, answer: ToolAnswer, state: string): InputRequiredResult {
  return inputRequired({
    inputRequests: {
      spend: inputRequired.elicit({ message: `${title}: ${quote(answer.body)}. Go ahead?`, requestedSchema: consent }),
    },
    requestState: state,
  })
}

/** What the user said to a question of this call; null when the call answers none. */
export function readConsent(context: ServerContext): { readonly state: string; readonly yes: boolean } | null {
  const state = context.mcpReq.requestState<string>()
  if (typeof state !== 'string') return null
  return { state, yes: acceptedContent(context.mcpReq.inputResponses, 'spend', consent)?.confirm === true }
}

/** Why a yes does not count. */
export const takenTexts: Readonly<Record<Exclude<Taken, 'yours'>, string>> = {
  used: 'That confirmation was used before. Look whether the change was made; to make it again, call the tool afresh.',
  expired: 'That confirmation came too late. Call the tool again for a new quote.',
  other:
    'That confirmation is not for this call: it was made by another team, for other arguments, or was altered. Call the tool again for a new quote.',
}

/** Questions kept in this process: for one client on standard input and output, whose word cannot travel. */
export function questionsInMemory(clock: { now(): number; id(): string }, ttlMs = 600_000): SpendQuestions {
  const open = new Map<string, { readonly about: string; readonly untilMs: number; used: boolean }>()
  const about = (question: SpendQuestion) => JSON.stringify([question.operationId, canonical(question.input)])
  return {
    ask: async (question) => {
      for (const [id, { untilMs }] of open) if (untilMs <= clock.now() - ttlMs) open.delete(id)
      const id = clock.id()
      open.set(id, { about: about(question), untilMs: clock.now() + ttlMs, used: false })
      return id
    },
    take: async (state, question) => {
      const asked = open.get(state)
      if (!asked || asked.about !== about(question)) return 'other'
      if (asked.used) return 'used'
      if (asked.untilMs <= clock.now()) return 'expired'
      asked.used = true
      return 'yours'
    },
  }
}

/** A value with its names in order, so that equal arguments are equal text. */
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
