/**
 * The first read of a process: what it takes of one that has just started, which has planned nothing and compiled nothing yet. Each is
 * asked of a process of its own, on the database of a stage, by a client that is warm.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { median, openStage, type Beside, type Stage } from './support.ts'

/** The process that is read from: says where it listens, and ends when it hears anything. */
async function serve(beside: string): Promise<void> {
  const { connection, masterKey } = JSON.parse(beside) as Omit<Beside, 'masterKey'> & { masterKey: string }
  const stage = await openStage({ beside: { connection, masterKey: Buffer.from(masterKey, 'base64') } })
  process.send?.(stage.service.http.address())
  await once(process, 'message')
  await stage.close()
  process.exit(0)
}

const heard = async (child: ChildProcess): Promise<string> => {
  const [said] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('the process has ended'))),
  ])) as [string]
  return said
}

/** Milliseconds of the first read of each of some paths, each the median of as many processes as there are rounds, in turns. */
export async function firstReads(
  stage: Stage,
  paths: readonly string[],
  { rounds, headers }: { readonly rounds: number; readonly headers: Readonly<Record<string, string>> },
): Promise<number[]> {
  const { connection, masterKey } = stage.beside
  const beside = JSON.stringify({ connection, masterKey: masterKey.toString('base64') })
  const times = paths.map((): number[] => [])
  for (let round = 0; round < rounds; round++)
    for (const [at, path] of paths.entries()) {
      const child = fork(fileURLToPath(import.meta.url), { env: { ...process.env, BENCH_BESIDE: beside } })
      const origin = await heard(child)
      const start = performance.now()
      const response = await fetch(`${origin}/api/v1${path}`, { headers })
      const text = await response.text()
      times[at]!.push(performance.now() - start)
      if (response.status !== 200) throw new Error(text)
      const ended = once(child, 'exit')
      child.send('end')
      await ended
    }
  return times.map(median)
}

if (process.env.BENCH_BESIDE !== undefined && process.argv[1] === fileURLToPath(import.meta.url))
  await serve(process.env.BENCH_BESIDE)
