/** Completion: the suggestions, and the scripts run in the installed shells. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { les } from './shell.ts'

const shim = fileURLToPath(new URL('../bin/les.mjs', import.meta.url))
const isInstalled = (shell: string) => spawnSync('/bin/sh', ['-c', `command -v ${shell}`]).status === 0

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'les-completion-'))
  writeFileSync(join(folder, 'les'), `#!/bin/sh\nexec '${process.execPath}' '${shim}' "$@"\n`)
  chmodSync(join(folder, 'les'), 0o755)
})
afterAll(() => rmSync(folder, { recursive: true }))

const candidates = async (...words: string[]): Promise<string[]> =>
  (await les(['__complete', '--', ...words])).stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t')[0]!)

describe('what may come next', () => {
  it.each([
    [['le'], ['leads']],
    [
      ['leads', ''],
      ['list', 'raw', 'why', 'tail'],
    ],
    [['leads', 'list', '--web'], ['--webhook-status']],
    [['leads', 'list', '--webhook-status', 's'], ['sent']],
    [['leads', 'list', '--webhook-status', 'sent', '--no-c'], ['--no-color']],
    [
      ['webhooks', 'trigger', 'sync'],
      ['sync.completed', 'sync.failed'],
    ],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['nonsense', 'x'], []],
  ])('after %j: %j', async (words, expected) => expect(await candidates(...words)).toEqual(expected))

  it('is every noun at first', async () =>
    expect(await candidates('')).toEqual(
      expect.arrayContaining(['enrich', 'keyword', 'discover', 'agent', 'outreach', 'auth', 'doctor', 'api', 'help']),
    ))
  it('tells what each is', async () =>
    expect((await les(['__complete', '--', 'doc'])).stdout).toBe('doctor\tCheck for problems\n'))
  it('a shell there is not is a usage error', async () => expect((await les(['completion', 'tcsh'])).code).toBe(2))
})

const run = (shell: string, args: readonly string[], input?: string) =>
  spawnSync(shell, args, {
    encoding: 'utf8',
    input,
    env: { PATH: `${folder}:${process.env.PATH}`, HOME: folder, NODE_COMPILE_CACHE: join(folder, 'cache') },
  })

describe('the scripts', () => {
  it('bash: completes nouns, verbs, flags and values', async () => {
    const { stdout: script } = await les(['completion', 'bash'])
    const ask = (...words: string[]) =>
      `COMP_WORDS=(les ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _les; echo "\${COMPREPLY[*]}"`
    const { stdout, stderr, status } = run('bash', [
      '--norc',
      '-c',
      [
        script,
        'complete -p les',
        ask('disc'),
        ask('agent', 'st'),
        ask('leads', 'list', '--source-kind', 'p'),
        ask('enrich', 'profile', '--first'),
      ].join('\n'),
    ])
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
    expect(stdout.split('\n')).toEqual([
      'complete -o default -F _les les',
      'discover',
      'start stop',
      'post profile',
      '--first-sync-posts --first-sync-days',
      '',
    ])
  })

  const zsh = isInstalled('zsh')
  const fish = isInstalled('fish')
  for (const [shell, there] of [
    ['zsh', zsh],
    ['fish', fish],
  ] as const)
    if (!there)
      process.stdout.write(`completion.test: ${shell} is not installed here, so its script is looked at, not run\n`)

  it.runIf(zsh)('zsh: loads and gives candidates', async () => {
    const { stdout: script } = await les(['completion', 'zsh'])
    const { stdout, status } = run('zsh', [
      '-f',
      '-c',
      `compdef() { }; _describe() { print -l -- "\${(@)candidates}" }\n${script}\nwords=(les disc); CURRENT=2; _les`,
    ])
    expect({ stdout, status }).toEqual({ stdout: 'discover:Searches for people who post about a topic\n', status: 0 })
  })

  it.runIf(fish)('fish: gives candidates', async () => {
    const { stdout: script } = await les(['completion', 'fish'])
    const { stdout, status } = run('fish', ['--no-config', '-c', `${script}\ncomplete -C 'les disc'`])
    expect({ stdout, status }).toEqual({ stdout: 'discover\tSearches for people who post about a topic\n', status: 0 })
  })
})
