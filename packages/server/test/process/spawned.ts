import { spawn, type ChildProcess } from 'node:child_process'
import { until } from './stage.ts'

export type Spawned = {
  readonly child: ChildProcess
  readonly out: () => string
  readonly err: () => string
  readonly ended: Promise<number | null>
  /** Waits until standard output, or standard error, matches; returns the first group. Fails if the program ends before. */
  says(pattern: RegExp, on?: 'out' | 'err'): Promise<string>
}

export type How = {
  readonly cwd: string
  readonly settings?: Readonly<Record<string, string>>
  readonly node?: string
  readonly input?: string
  readonly user?: { readonly uid?: number; readonly gid?: number }
}

const running = new Set<Spawned>()

/** Starts a program; it inherits only the environment variables that a shell has. */
export function startProgram(
  argv: readonly string[],
  { cwd, settings = {}, node = process.execPath, input = '', user = {} }: How,
): Spawned {
  const { PATH = '', HOME = '', TMPDIR } = process.env
  const child = spawn(node, argv, {
    cwd,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH, HOME, ...(TMPDIR === undefined ? {} : { TMPDIR }), ...settings },
    ...user,
  })
  const text = { out: '', err: '' }
  child.stdin.on('error', () => {}).end(input)
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text.out += chunk))
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text.err += chunk))
  const started: Spawned = {
    child,
    out: () => text.out,
    err: () => text.err,
    ended: new Promise<number | null>((resolve) => child.once('close', resolve)).finally(() => running.delete(started)),
    says: (pattern, on = 'out') =>
      until(
        String(pattern),
        () => {
          const found = pattern.exec(text[on])
          if (found !== null) return found[1] ?? found[0]
          if (child.exitCode !== null) throw new Error(`no ${pattern}: ${text.out}\n${text.err}`)
          return undefined
        },
        25,
        120_000,
      ),
  }
  running.add(started)
  return started
}

/** Stops the capture of a demo team, which would go on for hundreds of people. */
export async function untrackDemo(address: string, key: string): Promise<void> {
  const { status } = await fetch(`${address}/api/v1/profile/maya-lindqvist`, {
    method: 'DELETE',
    headers: { 'x-api-key': key },
  })
  if (status !== 200) throw new Error(`the demo could not be untracked: ${status}`)
}

/** Ends all programs that still run. */
export async function endPrograms(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  const still = [...running]
  for (const { child } of still) child.kill(signal)
  await Promise.all(still.map(({ ended }) => ended))
}
