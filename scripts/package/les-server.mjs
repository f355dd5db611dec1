#!/usr/bin/env node
// Starts the built service. Plain JavaScript for any Node: an old one hands over to the Node that lies beside it.
import { existsSync, mkdirSync } from 'node:fs'
import nodeModule from 'node:module'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const oldest = 24
const main = new URL('./server/main.mjs', import.meta.url)
const own = fileURLToPath(new URL('./runtime/bin/node', import.meta.url))

if (Number(process.versions.node.split('.')[0]) >= oldest) {
  // Beside the data, the only folder the service writes to; where that cannot be written, and for other commands, it is compiled each time.
  if (process.argv.slice(2).every((word) => ['serve', 'http', 'worker', 'clock'].includes(word))) {
    const dataFolder = resolve(process.env.LES_DATA_DIR || './.data')
    try {
      // Made here first, so with the mode it is to have: root's database runs as another user, who passes through it.
      if (!process.env.NODE_COMPILE_CACHE)
        mkdirSync(dataFolder, { recursive: true, mode: process.geteuid?.() === 0 ? 0o711 : 0o700 })
    } catch {
      // The service says what is wrong with it.
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
  // Too old to be replaced: it passes signals on and ends with the service, which ends when this process does.
  const { spawn } = await import('node:child_process')
  const child = spawn(own, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code) => process.exit(code ?? 1))
}
