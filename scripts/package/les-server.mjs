#!/usr/bin/env node
// Starts the built service. Plain JavaScript for any Node: an old one hands over to the bundled Node.
import { existsSync, mkdirSync } from 'node:fs'
import nodeModule from 'node:module'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const oldest = 24
const main = new URL('./server/main.mjs', import.meta.url)
const own = fileURLToPath(new URL('./runtime/bin/node', import.meta.url))

if (Number(process.versions.node.split('.')[0]) >= oldest) {
  // Caches compiled code in the data folder, the only writable one; other commands compile each time.
  if (process.argv.slice(2).every((word) => ['serve', 'http', 'worker', 'clock'].includes(word))) {
    const dataFolder = resolve(process.env.LES_DATA_DIR || './.data')
    try {
      // Created with its final mode: root's database runs as another user, who must be able to pass through.
      if (!process.env.NODE_COMPILE_CACHE)
        mkdirSync(dataFolder, { recursive: true, mode: process.geteuid?.() === 0 ? 0o711 : 0o700 })
    } catch {
      // The service reports the problem.
    }
    nodeModule.enableCompileCache(process.env.NODE_COMPILE_CACHE || join(dataFolder, 'compile-cache'))
  }
  await import(main.href)
} else if (!existsSync(own)) {
  process.stderr.write(
    `The service needs Node ${oldest} or later; this is ${process.version}. Install one, or build with npm run dist -- --with-node.\n`,
  )
  process.exit(1)
} else if (typeof process.execve === 'function') {
  process.execve(own, [own, fileURLToPath(import.meta.url), ...process.argv.slice(2)], process.env)
} else {
  // This Node is too old for `execve`: it forwards signals and exits with the service (which ends with this process).
  const { spawn } = await import('node:child_process')
  const child = spawn(own, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code) => process.exit(code ?? 1))
}
