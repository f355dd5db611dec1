/** The entry point: runs the service or a command. On a signal the service ends in reverse order of its start. */
import { ConfigError, readProcessConfig } from './config/env.ts'
import type { Config, Role } from './config/config.ts'
import { readCommand } from './commands/command-line.ts'
import { systemClock } from './platform/clock.ts'
import { openLog, type Log } from './platform/log.ts'
import { addressHere, noteAddress, refuseTakenPort } from './platform/address.ts'
import { openMetricsServer } from './platform/metrics-server.ts'

const oldest = 24
const impatientMs = 2_000

function settings(roles: readonly Role[]): Config {
  try {
    return readProcessConfig(roles)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(2)
  }
}

/** Steps that undo a start, in the order of the start. */
type Endings = (() => unknown)[]

async function endAll(endings: Endings): Promise<void> {
  for (const end of endings.splice(0).reverse()) await end()
}

async function start(config: Config, log: Log, endings: Endings): Promise<void> {
  // Before the database is made, so that a start that cannot listen leaves nothing behind.
  await refuseTakenPort(config.port, config.host)
  for (const port of [config.metricsPort, config.operatorPort])
    if (port !== null) await refuseTakenPort(port, config.host)
  // Imported late: this is most of the program.
  const [{ compose }, { announce }] = [
    await import('./composition/compose.ts'),
    await import('./composition/announce.ts'),
  ]
  const service = await compose(config, log)
  endings.push(() => service.stop())
  await service.start()
  const listening = config.roles.includes('http') ? URL.parse(service.http.address()) : null
  if (listening) endings.push(await noteAddress(config.dataDir, addressHere(config.host, Number(listening.port || 80))))
  if (config.metricsPort !== null) {
    const metrics = await openMetricsServer(service.metrics, config.metricsPort, config.host)
    endings.push(() => metrics.close())
  }
  endings.push(await announce(service, log, (line) => process.stdout.write(`${line}\n`)))
}

function describeFailure(error: unknown): string {
  const { code, port, message } = (
    error instanceof Error ? error : new Error(String(error))
  ) as NodeJS.ErrnoException & { port?: number }
  if (code === 'EADDRINUSE')
    return `port ${port} is in use by another program: stop it, or set PORT (or LES_METRICS_PORT, or LES_OPERATOR_PORT) to a free one`
  return message
}

/** Ends the service on a signal, even while it starts; a second signal two seconds later exits at once. */
function endOnSignals(log: Log, started: Promise<void>, endings: Endings): { readonly ending: boolean } {
  let sinceMs: number | undefined
  const stop = (signal: string): void => {
    if (sinceMs !== undefined) {
      // One Ctrl-C arrives twice: from the terminal and from npm.
      if (systemClock.nowMs() - sinceMs > impatientMs) process.exit(1)
      return
    }
    sinceMs = systemClock.nowMs()
    log.info('stopping', { signal })
    void started
      .catch(() => {})
      .then(() => endAll(endings))
      .then(
        () => process.exit(0),
        (error: unknown) => {
          log.error('stopping failed', { error })
          process.exit(1)
        },
      )
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const) process.on(signal, stop)
  // A closed terminal or pipe must not crash the service while it shuts down.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  // An older Node may have started this process and stayed its parent: end with it, however it ended.
  if (process.channel) process.on('disconnect', () => stop('disconnect'))
  return {
    get ending() {
      return sinceMs !== undefined
    },
  }
}

async function serve(roles: readonly Role[]): Promise<void> {
  const config = settings(roles)
  const log = openLog(config.logLevel)
  const endings: Endings = []
  const started = start(config, log, endings)
  const signals = endOnSignals(log, started, endings)
  try {
    await started
  } catch (error) {
    if (signals.ending) return
    log.error('the service could not start', { error })
    process.stderr.write(`The service could not start: ${describeFailure(error)}\n`)
    await endAll(endings).catch((failure: unknown) => log.error('stopping failed', { error: failure }))
    process.exit(1)
  }
}

async function run(): Promise<void> {
  if (Number(process.versions.node.split('.')[0]) < oldest) {
    process.stderr.write(
      `This service needs Node ${oldest} or later; this is ${process.version}. ` +
        'Start it with npm start, which uses the Node that npm ci installed.\n',
    )
    process.exit(1)
  }
  const command = readCommand(process.argv.slice(2))
  if (command.kind === 'serve') return serve(command.roles)
  if (command.kind === 'text') {
    process[command.failed ? 'stderr' : 'stdout'].write(command.text)
    process.exitCode = command.failed ? 2 : 0
    return
  }
  const { runCommand } = await import('./commands/index.ts')
  process.exitCode = await runCommand(command)
}

process.on('unhandledRejection', (reason) => {
  openLog('error').error('an unhandled failure', {
    error: reason instanceof Error ? reason : new Error(String(reason)),
  })
})

await run()
