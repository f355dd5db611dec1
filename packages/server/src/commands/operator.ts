/** `les-server teams|keys|credits`: a client for `/operator` of the running service. */
import { parseArgs } from 'node:util'
import type { Config } from '../config/config.ts'
import { readProcessConfig } from '../config/env.ts'
import { openPooledEgress } from '../platform/egress/index.ts'
import { addressHere } from '../platform/address.ts'
import { localSecrets, readSecret } from '../platform/local-secrets.ts'

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

export class Unreadable extends Error {}

const whole = (text: string | undefined, what: string): number => {
  if (text === undefined || !/^\d{1,10}$/.test(text)) throw new Unreadable(`${what} must be a whole number\n\n${usage}`)
  return Number(text)
}

/** Parses `jobs=90,audit=none`; the service checks the rules and their bounds. */
const keepOf = (text: string): Record<string, number | null> =>
  Object.fromEntries(
    text.split(',').map((part) => {
      const [, rule, days] = /^\s*([\w-]+)\s*=\s*(\d{1,6}|none)\s*$/.exec(part) ?? []
      if (rule === undefined) throw new Unreadable(`--keep must be a list such as jobs=90,audit=none\n\n${usage}`)
      return [rule, days === 'none' ? null : Number(days)]
    }),
  )

const present = (text: string | undefined): string => {
  if (text === undefined || text === '') throw new Unreadable(usage)
  return text
}

const team = (id: string | undefined): string => `/teams/${encodeURIComponent(present(id))}`

/** The request for the words; throws `Unreadable`. */
export function requestOf(
  name: string,
  words: readonly string[],
): { readonly request: Request; readonly url: string | undefined } {
  let read: ReturnType<typeof parse>
  try {
    read = parse(words)
  } catch (error) {
    throw new Unreadable(`${(error as Error).message}\n\n${usage}`)
  }
  const { values, positionals } = read
  const [verb, first, second] = positionals
  const url = values.url
  const fields = {
    ...(values.name === undefined ? {} : { name: values.name }),
    ...(values.plan === undefined ? {} : { plan: values.plan }),
    ...(values.status === undefined ? {} : { status: values.status }),
    ...(values.credits === undefined ? {} : { credits: whole(values.credits, '--credits') }),
    ...(values['lead-cap'] === undefined ? {} : { leadCap: whole(values['lead-cap'], '--lead-cap') }),
    ...(values.keep === undefined ? {} : { keepDays: keepOf(values.keep) }),
  }
  const requests: Readonly<Record<string, () => Request>> = {
    'teams add': () => ({ method: 'POST', path: '/teams', body: { ...fields, name: present(first) } }),
    'teams show': () => ({ method: 'GET', path: team(first) }),
    'teams set': () => ({ method: 'PATCH', path: team(first), body: fields }),
    'teams close': () => ({ method: 'DELETE', path: `${team(first)}${values.now ? '?now=true' : ''}` }),
    'teams restore': () => ({ method: 'POST', path: `${team(first)}/restore`, body: {} }),
    'keys add': () => ({ method: 'POST', path: `${team(first)}/keys`, body: { name: present(second) } }),
    'credits grant': () => ({
      method: 'PATCH',
      path: team(first),
      body: { grantCredits: whole(second, 'the number') },
    }),
    'credits set': () => ({ method: 'PATCH', path: team(first), body: { credits: whole(second, 'the number') } }),
  }
  const asked = `${name} ${verb ?? ''}`
  if (!Object.hasOwn(requests, asked)) throw new Unreadable(usage)
  return { request: requests[asked]!(), url }
}

const parse = (words: readonly string[]) =>
  parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      url: { type: 'string' },
      name: { type: 'string' },
      plan: { type: 'string' },
      status: { type: 'string' },
      credits: { type: 'string' },
      'lead-cap': { type: 'string' },
      keep: { type: 'string' },
      now: { type: 'boolean' },
    },
  })

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
export async function runOperatorCommand(
  name: string,
  words: readonly string[],
  { out, err }: { out: (text: string) => void; err: (text: string) => void },
): Promise<number> {
  if (words.includes('--help') || words.includes('-h')) {
    out(usage)
    return 0
  }
  const egress = openPooledEgress()
  try {
    const { request, url } = requestOf(name, words)
    const config = readProcessConfig()
    const answer = await egress.request({
      method: request.method,
      url: `${url ?? operatorAddress(config)}/operator${request.path}`,
      headers: { authorization: `Bearer ${await tokenOf(config)}`, 'content-type': 'application/json' },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      timeoutMs: 15_000,
      maxBytes: 1_000_000,
    })
    const text = answer.body.toString('utf8')
    if (answer.status >= 400) {
      err(`les-server ${name}: the service answered ${answer.status}: ${text}\n`)
      return 1
    }
    out(`${JSON.stringify(JSON.parse(text), null, 2)}\n`)
    return 0
  } catch (error) {
    err(
      error instanceof Unreadable
        ? error.message
        : `les-server ${name}: ${error instanceof Error ? error.message : String(error)}\n`,
    )
    return error instanceof Unreadable ? 2 : 1
  } finally {
    await egress.close()
  }
}
