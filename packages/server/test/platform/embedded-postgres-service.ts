/** Stands in for the service: starts the embedded database of a folder, reports one line of JSON, stops on SIGTERM. */
import { startEmbeddedPostgres } from '../../src/platform/db/embedded.ts'

try {
  const database = await startEmbeddedPostgres({
    dataDir: process.argv[2] ?? '',
    log: (message) => process.stderr.write(`${message}\n`),
  })
  process.on('SIGTERM', () => void database.stop().then(() => process.exit(0)))
  const { connection, startedBy, reattached } = database
  process.stdout.write(`${JSON.stringify({ connection, startedBy, reattached })}\n`)
} catch (error) {
  process.stdout.write(`${JSON.stringify({ error: String(error) })}\n`)
  process.exitCode = 1
}
