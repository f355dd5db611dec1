import { adviceFor } from '@les/contract'
import type { CallToolResult } from '@modelcontextprotocol/server'
import { cutLongest } from './brief.ts'
import { guarded, masked } from './untrusted.ts'

export type ToolAnswer = {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  readonly retryAfterSeconds?: number | undefined
}

/** In characters; the structured content is complete. */
const textLimit = 12_000

function rowsOf(body: Readonly<Record<string, unknown>>): [name: string, rows: readonly unknown[]] | undefined {
  const lists = Object.entries(body).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]))
  return lists.toSorted(([, one], [, other]) => other.length - one.length)[0]
}

function whatNext(body: Readonly<Record<string, unknown>>): string[] {
  const next: string[] = []
  if (typeof body.jobId === 'string' && body.status !== 'completed' && body.status !== 'failed')
    next.push(`Follow it with get_job {"jobId":"${body.jobId}"}.`)
  if (typeof body.pushId === 'string' && body.finished !== true)
    next.push(`Follow it with get_job {"of":"push","pushId":"${body.pushId}"}.`)
  if (body.isFinal === false) next.push('Not final yet: ask again in half a minute.')
  if (body.hasMore === true && typeof body.offset === 'number' && typeof body.limit === 'number')
    next.push(`More: repeat with "offset":${body.offset + body.limit}.`)
  return next
}

function shortened(body: Readonly<Record<string, unknown>>): string {
  const json = JSON.stringify(body)
  if (json.length <= textLimit) return json
  const cut = cutLongest(body, textLimit)
  if (cut === null)
    return json.length <= textLimit * 2
      ? json
      : `${json.slice(0, textLimit)} [cut here; all of it is in the structured content]`
  return (
    `${JSON.stringify(cut.body)}\n${cut.kept} of these ${cut.total} ${cut.name} are shown here; ` +
    'all are in the structured content, or ask with a smaller limit.'
  )
}

/** A success: a short summary, the data, and what to do next. */
export function successResult(
  summary: string,
  answered: Readonly<Record<string, unknown>>,
  { showSecret = false, note = null }: { readonly showSecret?: boolean; readonly note?: string | null } = {},
): CallToolResult {
  const body = guarded(showSecret ? answered : masked(answered)) as Record<string, unknown>
  const hidden =
    !showSecret && typeof answered.key === 'string'
      ? [
          'The key is masked here and is shown nowhere again: to have its text, revoke it and make one with "showSecret":true.',
        ]
      : []
  const rows = rowsOf(body)
  const total = typeof body.total === 'number' ? ` of ${body.total}` : ''
  const count = rows ? `: ${rows[1].length}${total} ${rows[0]}` : ''
  const text = [
    `${summary}${count}.`,
    shortened(body),
    ...(note === null ? [] : [note]),
    ...hidden,
    ...whatNext(body),
  ].join('\n')
  return { content: [{ type: 'text', text }], structuredContent: body }
}

/** A refusal in words: status, code, message, figures and advice. */
export function refusalText({ status, body, retryAfterSeconds }: ToolAnswer): string {
  const { error, code, requestId, ...details } = guarded(body) as Record<string, unknown>
  const head = `Error ${status}${typeof code === 'string' ? ` ${code}` : ''}: ${String(error)}`
  const wait = retryAfterSeconds === undefined ? [] : [`Wait ${retryAfterSeconds} seconds before the next call.`]
  const figures = Object.keys(details).length === 0 ? [] : [JSON.stringify(details)]
  const advice = adviceFor(status, typeof code === 'string' ? code : null)
  return [
    head,
    ...figures,
    ...wait,
    `What to do: ${advice}`,
    ...(typeof requestId === 'string' && status >= 500 ? [`requestId: ${requestId}`] : []),
  ].join('\n')
}

export function errorResult(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}
