/** What a route of the operator surface is. */
import type { z } from 'zod'
import { Refusal } from '../../platform/refusal.ts'
import { describeIssue } from '../input.ts'
import type { Target } from '../http/target.ts'
import type { Reply } from '../reply.ts'

/** One route; `body` reads the request's JSON when asked. */
export type OperatorRoute = {
  readonly method: string
  readonly path: string
  readonly serve: (request: {
    readonly params: Readonly<Record<string, string>>
    readonly query: Target['query']
    readonly body: () => Promise<Record<string, unknown>>
  }) => Promise<Reply>
}

/** A success. */
export function answer(status: 200 | 201, body: unknown): Reply {
  return { status, headers: {}, body }
}

/** The fields of a body, parsed; refuses with 400 naming the first that does not fit. */
export function readFields<S extends z.ZodType>(schema: S, body: Record<string, unknown>): z.output<S> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  throw new Refusal('invalid_request', {}, describeIssue(parsed.error.issues[0]!, body))
}
