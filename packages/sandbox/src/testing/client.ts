import { startSandbox, type Sandbox, type SandboxOptions } from '../index.ts'

/** The time in tests that do not move the clock. */
export const TEST_NOW = Date.UTC(2026, 10, 21, 12)

/** A received answer. */
export type Answer = { status: number; headers: Headers; text: string; json: any }

/** A sandbox whose clock only tests move, with calls that carry valid headers. */
export type TestSandbox = Sandbox & {
  clock: { ms: number }
  harvest(path: string, query?: Record<string, string | number>, headers?: Record<string, string>): Promise<Answer>
  linkd(path: string, query?: Record<string, string | number>, headers?: Record<string, string>): Promise<Answer>
  control(method: string, path: string, body?: unknown): Promise<Answer>
}

export async function startTestSandbox(options: SandboxOptions = {}): Promise<TestSandbox> {
  const clock = { ms: TEST_NOW }
  const sandbox = await startSandbox({ seed: 'test', now: () => new Date(clock.ms), ...options })
  const call = async (
    base: string,
    path: string,
    { query, headers }: { query: Record<string, string | number>; headers: Record<string, string> },
  ): Promise<Answer> => {
    const search = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]))
    return read(
      await fetch(`${base}${path}${search.size > 0 ? `?${search}` : ''}`, {
        headers: { 'user-agent': 'sandbox-test/1', ...headers },
      }),
    )
  }
  return {
    ...sandbox,
    clock,
    harvest: (path, query = {}, headers = { 'x-api-key': 'key' }) =>
      call(sandbox.addresses.harvestapi, path, { query, headers }),
    linkd: (path, query = {}, headers = { 'x-linkdapi-apikey': 'key' }) =>
      call(sandbox.addresses.linkdapi, path, { query, headers }),
    control: async (method, path, body) =>
      read(
        await fetch(`${sandbox.url}/control/${path}`, {
          method,
          ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        }),
      ),
  }
}

async function read(response: Response): Promise<Answer> {
  const text = await response.text()
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    json = undefined
  }
  return { status: response.status, headers: response.headers, text, json }
}
