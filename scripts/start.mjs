// `npm start`: builds what is stale, and is the service from then on: one process, so that ending it ends the service.
// Not a script of npm before `start`: those do not run, as no script of a package does (`ignore-scripts` in .npmrc).
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
for (const step of ['packages/dashboard/build/index.ts', 'scripts/package/downloads.ts']) {
  const { status } = spawnSync(process.execPath, [step], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
await import('../packages/server/bin/les-server.mjs')
