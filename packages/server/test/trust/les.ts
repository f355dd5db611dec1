/** Runs `les …` in process with a team's key. */
import { randomUUID } from 'node:crypto'
import { run, type Io } from '@les/cli'
import type { Team, World } from '../world/world.ts'

/** Runs it as in a pipe, where nobody can answer a prompt. */
export async function lesRun(
  world: World,
  team: Team,
  argv: readonly string[],
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  let [stdout, stderr] = ['', '']
  const io: Io = {
    stdout: { write: (text) => void (stdout += text), isTty: false, columns: 100 },
    stderr: { write: (text) => void (stderr += text), isTty: false, columns: 100 },
    stdin: { isTty: false, read: async () => Buffer.alloc(0) },
    ask: { confirm: async () => undefined, secret: async () => undefined, choose: async () => undefined },
    env: { HOME: '/nonexistent', LES_BASE_URL: world.url, NO_COLOR: '1', LES_API_KEY: team.apiKey },
    fetch,
    signal: new AbortController().signal,
    now: () => 0,
    random: () => 0,
    newId: randomUUID,
    sleep: async () => {},
  }
  const code = await run(argv, io)
  return { code, stdout, stderr }
}
