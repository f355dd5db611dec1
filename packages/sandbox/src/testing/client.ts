import { startSandbox, type Sandbox, type SandboxOptions } from '../index.ts'

/** The moment at which tests look at the world unless they move it. */
export const TEST_NOW = Date.UTC(2026, 10, 21, 12)

/** One answer as it came over the wire. */
export type Answer = { status: number; headers: Headers; text: string; json: any }

/** A sandbox with a clock that only tests move, and calls with good headers. */
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

/** Every row of a HarvestAPI list, page by page with the token, until a page is empty or the last. */
export async function everyHarvestRow(
  sandbox: TestSandbox,
  path: string,
  query: Record<string, string | number>,
): Promise<any[]> {
  const rows: any[] = []
  let token: string | null = null
  for (let page = 1; page < 200; page += 1) {
    const { json } = await sandbox.harvest(path, { ...query, page, ...(token ? { paginationToken: token } : {}) })
    rows.push(...json.elements)
    token = json.pagination.paginationToken
    if (json.elements.length === 0 || page >= json.pagination.totalPages) break
  }
  return rows
}

/** Every row of a LinkdAPI list that moves by `start` or by cursor. */
export async function everyLinkdRow(
  sandbox: TestSandbox,
  path: string,
  { list, step, ...query }: { list: string; step?: number } & Record<string, string | number>,
): Promise<any[]> {
  const rows: any[] = []
  let cursor: string | null = null
  for (let start = 0; start < 5000; start += step ?? 1) {
    const { json } = await sandbox.linkd(path, { ...query, ...(step ? { start } : cursor ? { cursor } : {}) })
    rows.push(...json.data[list])
    cursor = json.data.cursor ?? null
    if (json.data[list].length === 0 || (!step && !cursor)) break
  }
  return rows
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
