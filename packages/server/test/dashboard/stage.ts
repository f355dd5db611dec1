/** People on the dashboard: signed up over HTTP, members of teams, calling what the pages call. */
import { serializeSignedCookie } from 'better-call'
import { sql } from 'kysely'
import type { TeamRole } from '@les/contract'
import { makePerson } from '../sign-in/browser.ts'
import { send as sendTo, type Answer, type Team, type World } from '../world/world.ts'

/** A signed-in person's browser, with cookies and an origin. */
export type Browser = {
  readonly userId: string
  readonly email: string
  readonly password: string
  readonly cookies: Map<string, string>
  /** A request below the root of the service. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
}

/** A team member's browser: requests go below `/app/api/teams/{id}`. */
export type MemberBrowser = Browser & {
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  get(path: string): Promise<Answer>
  post(path: string, body?: unknown): Promise<Answer>
  put(path: string, body?: unknown): Promise<Answer>
  patch(path: string, body?: unknown): Promise<Answer>
  del(path: string): Promise<Answer>
}

let people = 0

/** A browser without a signed-in person. */
export function openBrowser(
  world: Pick<World, 'url'>,
  cookies = new Map<string, string>(),
): Pick<Browser, 'cookies' | 'send'> {
  return {
    cookies,
    send: async (method, path, body, headers = {}) => {
      const answer = await sendTo(
        `${world.url}${path}`,
        method,
        {
          origin: world.url,
          'sec-fetch-site': 'same-origin',
          ...(cookies.size === 0 ? {} : { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body === undefined ? undefined : JSON.stringify(body),
      )
      for (const line of answer.headers.getSetCookie()) {
        const [pair, ...attributes] = line.split(';')
        const cut = pair!.indexOf('=')
        if (attributes.some((attribute) => /max-age=0/i.test(attribute))) cookies.delete(pair!.slice(0, cut))
        else cookies.set(pair!.slice(0, cut), pair!.slice(cut + 1))
      }
      return answer
    },
  }
}

const password = 'a long enough password'

/** Makes a signed-in person with a verified address, without waiting for the mail and the password hash. */
export async function signUp(
  world: Pick<World, 'url' | 'service'>,
  named: { readonly email?: string; readonly name?: string } = {},
): Promise<Browser> {
  const email = named.email ?? `person-${process.env.VITEST_POOL_ID ?? '0'}-${++people}@example.com`
  const { internalAdapter, secret } = await world.service.signIn.auth().$context
  const id = await makePerson(world.service.signIn, { email, name: named.name ?? 'Somebody', password })
  const { token } = await internalAdapter.createSession(id)
  const [cookie] = (await serializeSignedCookie('__Host-les.session_token', token, secret)).split(';')
  const [name, value] = cookie!.split(/=(.*)/s) as [string, string]
  return { ...openBrowser(world, new Map([[name, value]])), userId: id, email, password }
}

/** The same browser, for a team. */
export function at(browser: Browser, teamId: string): MemberBrowser {
  const call: MemberBrowser['call'] = (method, path, body, headers) =>
    browser.send(method, `/app/api/teams/${teamId}${path}`, body, headers)
  return {
    ...browser,
    call,
    get: (path) => call('GET', path),
    post: (path, body = {}) => call('POST', path, body),
    put: (path, body = {}) => call('PUT', path, body),
    patch: (path, body = {}) => call('PATCH', path, body),
    del: (path) => call('DELETE', path),
  }
}

/** Signs a person up and adds them to a team as if they had been invited. */
export async function memberOf(
  world: World,
  team: Pick<Team, 'id'>,
  role: TeamRole,
  named: { readonly email?: string } = {},
): Promise<MemberBrowser> {
  const browser = await signUp(world, named)
  await sql`insert into sign_in.membership (user_id, team_id, role, created_at)
    values (${browser.userId}, ${team.id}, ${role}, ${await world.now()})`.execute(world.database.root)
  return at(browser, team.id)
}
