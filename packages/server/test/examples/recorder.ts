/** Calls operations and records requests and answers in the form of the API description. */
import { errorTable, operationsById, pathWith, type ErrorKey, type OperationId } from '@les/contract'
import type { Answer, Team } from '../world/world.ts'

export type Sending = {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | boolean>>
  readonly body?: Readonly<Record<string, unknown>>
  readonly headers?: Record<string, string>
  readonly raw?: string
  readonly key?: string | null
}

type Call = {
  params: Record<string, string>
  query: Record<string, string | number | boolean>
  request: unknown
  answers: Record<string, unknown>
}

const rowsShown = 1
const uuidPattern = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** The story's receiver and the address shown for it, since nobody should send leads to their own machine. */
export const exampleReceiver = { sent: 'http://127.0.0.1:9/leads', shown: 'https://hooks.example.com/leads' }

const ownFigures: readonly ErrorKey[] = ['spend_confirmation_required']

/** Makes a recorder. */
export function makeRecorder(): {
  succeed(team: Team, id: OperationId, sending?: Sending): Promise<Answer['body']>
  refused(team: Team, id: OperationId, key: ErrorKey, sending?: Sending): Promise<void>
  /** Everything recorded, with ids that are the same in every recording. */
  recorded(): unknown
} {
  const operations: Record<string, Call> = {}
  const refusals: Record<string, unknown> = {}
  const own: Record<string, Record<string, unknown>> = {}
  const jobs: Record<string, unknown> = {}
  const wrong: string[] = []

  const send = (team: Team, id: OperationId, { params = {}, query = {}, body, headers, raw, key }: Sending) => {
    const operation = operationsById[id]
    const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString()
    const path = `${pathWith(operation, params)}${search === '' ? '' : `?${search}`}`
    return team.call(operation.method, path, operation.body === null ? undefined : (body ?? {}), {
      ...(headers === undefined ? {} : { headers }),
      ...(raw === undefined ? {} : { raw }),
      ...(key === undefined ? {} : { key }),
    })
  }

  return {
    succeed: async (team, id, sending = {}) => {
      const answer = await send(team, id, sending)
      if (answer.status >= 300) throw new Error(`${id}: ${answer.status} ${answer.text}`)
      operations[id] ??= {
        params: { ...sending.params },
        query: { ...sending.query },
        request: operationsById[id].body === null ? null : (sending.body ?? {}),
        answers: {},
      }
      operations[id].answers[answer.status] ??= answer.body
      if (id === 'getJobStatus') jobs[answer.body.type] ??= answer.body
      return answer.body
    },
    refused: async (team, id, key, sending = {}) => {
      const answer = await send(team, id, sending)
      const { status, code } = errorTable[key]
      if (answer.status !== status || (answer.body.code ?? null) !== code)
        return void wrong.push(`${id} was to be refused as ${key}: ${answer.status} ${answer.text.slice(0, 300)}`)
      if (ownFigures.includes(key)) own[id] = { ...own[id], [key]: answer.body }
      refusals[key] ??= answer.body
    },
    recorded: () => {
      if (wrong.length > 0) throw new Error(wrong.join('\n'))
      const ids = new Map<string, string>()
      const stable = (text: string) =>
        text.replaceAll(uuidPattern, (uuid) => {
          const known = ids.get(uuid) ?? `019aa2f1-7c00-7000-8000-${String(ids.size + 1).padStart(12, '0')}`
          ids.set(uuid, known)
          return known
        })
      const shown = (value: unknown, name = ''): unknown => {
        if (Array.isArray(value)) return value.slice(0, rowsShown).map((item) => shown(item))
        if (typeof value === 'object' && value !== null)
          return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shown(inner, key)]))
        if (typeof value !== 'string') return value
        if (name === 'signingSecret') return 'whsec_bm90IGEgcmVhbCBzZWNyZXQsIGFuIGV4YW1wbGU='
        if (name === 'resultsUrl')
          return 'https://leads.example.com/hooks/outreach/bm90IGEgcmVhbCBzZWNyZXQsIGp1c3QgYW4gZXhhbXBsZQ'
        if (name === 'paginationToken') return 'as-an-earlier-result-gave-it'
        if (name === 'key') return value.replace(/(?<=^cs_)[A-Za-z0-9]+/, 'EXAMPLE')
        // Its last characters are random too; a new recording must not differ because of them.
        if (name === 'maskedKey') return 'cs_EXAM…MPLE'
        return stable(value).replace(exampleReceiver.sent, exampleReceiver.shown)
      }
      return shown({ operations, refusals, own, jobs })
    },
  }
}
