/** `les-server teams|keys|credits`: a client for `/operator` of the running service. */
import { parseArgs } from 'node:util'
import type { Config } from '../config/config.ts'
import { readProcessConfig } from '../config/env.ts'
import { openPooledEgress } from '../platform/egress/index.ts'
import { addressHere } from '../platform/address.ts'
import { localSecrets, readSecret } from '../platform/local-secrets.ts'
import { parseWords, report, UsageError, type Output } from './report.ts'

type Request = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: Record<string, unknown>
}

const usage = `les-server teams add NAME [--credits N] [--plan P]      makes a team; prints its first key
les-server teams show TEAM-ID                            what it may, and what it has
les-server teams set TEAM-ID [--name N] [--plan P] [--status active|trial|expired] [--lead-cap N]
                     [--keep jobs=90,audit=none]         days its old rows are kept (docs/retention.md); none: as the service has it
les-server teams close TEAM-ID [--now]                   ends it: closed at once, deleted after 30 days; --now: at once
les-server teams restore TEAM-ID                         opens a closed team again, until it is deleted
les-server keys add TEAM-ID NAME                         prints a new key, once
les-server credits grant TEAM-ID N                       adds to the balance
les-server credits set TEAM-ID N                         the allowance of each period

The service must run: at --url, else at LES_OPERATOR_PORT or PORT of HOST.
The token is LES_OPERATOR_TOKEN, or the one kept in the data folder.
`

const whole = (text: string | undefined, what: string): number => {
  if (text === undefined || !/^\d{1,10}$/.test(text)) throw new UsageError(`${what} must be a whole number\n\n${usage}`)
  return Number(text)
}

/** Parses `jobs=90,audit=none`; the service checks the rules and their bounds. */
const keepOf = (text: string): Record<string, number | null> =>
  Object.fromEntries(
    text.split(',').map((part) => {
      const [, rule, days] = /^\s*([\w-]+)\s*=\s*(\d{1,6}|none)\s*$/.exec(part) ?? []
      if (rule === undefined) throw new UsageError(`--keep must be a list such as jobs=90,audit=none\n\n${usage}`)
      return [rule, days === 'none' ? null : Number(days)]
    }),
  )

const present = (text: string | undefined): string => {
  if (text === undefined || text === '') throw new UsageError(usage)
  return text
}

const team = (id: string | undefined): string => `/teams/${encodeURIComponent(present(id))}`

/** The request for the words; throws `UsageError`. */
export function requestOf(
  name: string,
  words: readonly string[],
): { readonly request: Request; readonly url: string | undefined } {
  const { values, positionals } = parseWords(usage, () =>
    parseArgs({ args: [...words], allowPositionals: true, options }),
  )
  const [verb, first, second] = positionals
  const { url, name: called, plan, status, credits, 'lead-cap': leadCap, keep } = values
  const fields = {
    name: called,
    plan,
    status,
    credits: credits === undefined ? undefined : whole(credits, '--credits'),
    leadCap: leadCap === undefined ? undefined : whole(leadCap, '--lead-cap'),
    keepDays: keep === undefined ? undefined : keepOf(keep),
  }
  const requests: Readonly<Record<string, () => Request>> = {
    'teams add': () => ({ method: 'POST', path: '/teams', body: { ...fields, name: present(first) } }),
    'teams show': () => ({ method: 'GET', path: team(first) }),
    'teams set': () => ({ method: 'PATCH', path: team(first), body: fields }),
    'teams close': () => ({ method: 'DELETE', path: `${team(first)}${values.now ? '?now=true' : ''}` }),
    'teams restore': () => ({ method: 'POST', path: `${team(first)}/restore`, body: {} }),
    'keys add': () => ({ method: 'POST', path: `${team(first)}/keys`, body: { name: present(second) } }),
    'credits grant': () => ({ method: 'PATCH', path: team(first), body: { grantCredits: whole(second, number) } }),
    'credits set': () => ({ method: 'PATCH', path: team(first), body: { credits: whole(second, number) } }),
  }
  const asked = `${name} ${verb ?? ''}`
  if (!Object.hasOwn(requests, asked)) throw new UsageError(usage)
  return { request: requests[asked]!(), url }
}

const number = 'the number'

const options = {
  url: { type: 'string' },
  name: { type: 'string' },
  plan: { type: 'string' },
  status: { type: 'string' },
  credits: { type: 'string' },
  'lead-cap': { type: 'string' },
  keep: { type: 'string' },
  now: { type: 'boolean' },
} as const

async function tokenOf(config: Config): Promise<string> {
  if (config.operatorToken !== null) return config.operatorToken
  const kept = await readSecret(config.dataDir, localSecrets.operatorToken)
  if (kept === null) throw new Error('no operator token is known here: set LES_OPERATOR_TOKEN to that of the service')
  return kept
}

/** The URL of the operator API: on its own port if there is one. */
export const operatorAddress = ({ host, port, operatorPort }: Pick<Config, 'host' | 'port' | 'operatorPort'>): string =>
  addressHere(host, operatorPort ?? port)

/** Returns 0, or 1 when the service refused or did not answer, or 2 for an invalid command line. */
export const runOperatorCommand = (name: string, words: readonly string[], { out, err }: Output): Promise<number> =>
  report(name, { err }, async () => {
    if (words.includes('--help') || words.includes('-h')) return out(usage)
    const { request, url } = requestOf(name, words)
    const config = readProcessConfig()
    const token = await tokenOf(config)
    const egress = openPooledEgress()
    const answer = await egress
      .request({
        method: request.method,
        url: `${url ?? operatorAddress(config)}/operator${request.path}`,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(request.body),
        timeoutMs: 15_000,
        maxBytes: 1_000_000,
      })
      .finally(() => egress.close())
    const text = answer.body.toString('utf8')
    if (answer.status >= 400) throw new Error(`the service answered ${answer.status}: ${text}`)
    out(`${JSON.stringify(JSON.parse(text), null, 2)}\n`)
  })
