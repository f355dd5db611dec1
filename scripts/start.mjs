// `npm start`: builds what is stale, then becomes the service, so that ending this process ends the service. There is no
// `prestart` script, since `ignore-scripts` in .npmrc would skip it.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
for (const step of ['packages/dashboard/build/index.ts', 'scripts/package/downloads.ts']) {
  const { status } = spawnSync(process.execPath, [step], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
await import('../packages/server/bin/les-server.mjs')
