import { usage } from '../failure.ts'
import { printNote } from '../options.ts'
import { openSession } from '../session.ts'
import type { Given } from './own-command.ts'

/** Serves the agent tools on standard input and output until the other end closes and has its answers, or Ctrl-C. */
export async function serveTools({
  options,
  shell,
}: Given<{ readonly toolsets?: string; readonly readOnly?: boolean }>): Promise<void> {
  const session = openSession(options, shell)
  const { readView, serveStdio, untilAnswered } = await import('@les/mcp')
  const view = readView({ toolsets: options.toolsets, readOnly: options.readOnly ? '1' : undefined })
  if ('unknown' in view) throw usage(`there is no toolset ${view.unknown}`)
  const client = await session.client()
  const { streams, done } = untilAnswered(process.stdin, process.stdout)
  const ended = new Promise<void>((resolve) => {
    shell.signal.addEventListener('abort', () => resolve(), { once: true })
    void done.then(resolve)
  })
  const server = serveStdio({
    client,
    view,
    streams,
    clock: { now: shell.now, id: shell.newId },
    onError: (error) => printNote(shell, `les: ${error.message}`),
  })
  await ended
  await server.close()
}
