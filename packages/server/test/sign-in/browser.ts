/** A browser as sign-in sees it: it keeps cookies and sends the page's origin. */
import { randomBytes } from 'node:crypto'
import type { SignIn } from '../../src/sign-in/index.ts'

export type PageAnswer = {
  readonly status: number
  readonly headers: Headers
  readonly body: any
  readonly cookies: string[]
}

export type Browser = {
  readonly cookies: Map<string, string>
  headers(more?: Record<string, string>): Headers
  get(path: string, more?: Record<string, string>): Promise<PageAnswer>
  post(path: string, body?: unknown, more?: Record<string, string>): Promise<PageAnswer>
}

/** Opens a browser on `origin`; `peer` is its IP address. */
export function openBrowser(signIn: Pick<SignIn, 'handle'>, origin: string, peer = '203.0.113.7'): Browser {
  const cookies = new Map<string, string>()
  const headers = (more: Record<string, string> = {}): Headers =>
    new Headers({
      'x-les-peer': peer,
      ...(cookies.size > 0 ? { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') } : {}),
      ...more,
    })
  const send = async (
    method: string,
    path: string,
    body: unknown,
    more: Record<string, string>,
  ): Promise<PageAnswer> => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await signIn.handle(
      new Request(`${origin}${path.startsWith('/.well-known') ? '' : '/app/api/auth'}${path}`, {
        method,
        headers: headers({ ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...more }),
        redirect: 'manual',
        ...sent,
      }),
    )
    const set = response.headers.getSetCookie()
    for (const cookie of set) {
      const [name, value] = cookie.split(';')[0]!.split(/=(.*)/s) as [string, string]
      if (/max-age=0/i.test(cookie)) cookies.delete(name)
      else cookies.set(name, value)
    }
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      cookies: set,
      body: text !== '' && /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text,
    }
  }
  return {
    cookies,
    headers,
    get: (path, more = {}) => send('GET', path, undefined, { 'sec-fetch-site': 'same-origin', ...more }),
    post: (path, body = {}, more = {}) =>
      send('POST', path, body, { origin, 'sec-fetch-site': 'same-origin', ...more }),
  }
}

const hashes = new Map<string, Promise<string>>()

/** Makes a person with a verified address, as `ensureUser` does, but hashes each password only once; returns the id. */
export async function makePerson(signIn: Pick<SignIn, 'auth'>, person: ReturnType<typeof newPerson>): Promise<string> {
  const { internalAdapter, password } = await signIn.auth().$context
  const hash = hashes.get(person.password) ?? password.hash(person.password)
  hashes.set(person.password, hash)
  const { id } = await internalAdapter.createUser(
    { email: person.email, name: person.name, emailVerified: true },
    { method: 'email-password' },
  )
  await internalAdapter.linkAccount({ userId: id, providerId: 'credential', accountId: id, password: await hash })
  return id
}

/** Makes a person with a verified address and signs them in. */
export async function signedIn(
  signIn: Pick<SignIn, 'auth'>,
  page: Browser,
  person: ReturnType<typeof newPerson> = newPerson(),
): Promise<void> {
  await makePerson(signIn, person)
  const { status } = await page.post('/sign-in/email', person)
  if (status !== 200) throw new Error(`sign-in: ${status}`)
}

/** A unique person. */
export const newPerson = () => ({
  name: 'Ada',
  email: `ada-${randomBytes(6).toString('hex')}@example.com`,
  password: 'correct horse battery',
})
