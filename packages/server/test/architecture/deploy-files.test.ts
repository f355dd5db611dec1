/** The files of `deploy/` and `examples/` hold together: manifests, units and recipes name what there is. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { runBackupCommand } from '../../src/backup/index.ts'
import { commands, readCommand } from '../../src/commands/command-line.ts'
import { runOperatorCommand } from '../../src/commands/operator.ts'
import { readConfig } from '../../src/config/env.ts'
import { runDoctor } from '../../src/doctor/index.ts'

const root = join(import.meta.dirname, '../../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** True when a program is here; a skip that nobody sees would be no test. */
const isHere = (program: string, word = '--version'): boolean => {
  const here = spawnSync(program, [word]).status === 0
  if (!here) process.stderr.write(`SKIPPED: what ${program} checks of deploy/ and examples/, it is not here\n`)
  return here
}

describe('the manifests of Kubernetes', () => {
  const folder = 'deploy/kubernetes'
  const files = readdirSync(join(root, folder)).filter((name) => name !== 'kustomization.yaml')
  const documents = files.flatMap((file) =>
    parseAllDocuments(read(`${folder}/${file}`)).map((document) => {
      expect(document.errors, file).toEqual([])
      return document.toJS() as any
    }),
  )
  const deployments = documents.filter((each) => each.kind === 'Deployment')

  it('are those that kustomize puts together, each once', () => {
    const kustomization = parseAllDocuments(read(`${folder}/kustomization.yaml`))[0]!.toJS() as { resources: string[] }
    expect(kustomization.resources.toSorted()).toEqual(files.toSorted())
    const names = documents.map(({ kind, metadata: { name } }) => `${kind}/${name}`)
    expect(new Set(names).size).toBe(names.length)
  })

  it('select pods that there are, mount volumes that there are, and run each role once, the clock alone', () => {
    const pods = deployments.map(({ spec }) => spec.template.metadata.labels)
    const picks = (wanted: Record<string, string>) =>
      pods.filter((pod) => Object.entries(wanted).every(([name, value]) => pod[name] === value)).length
    for (const { spec } of deployments) expect(picks(spec.selector.matchLabels)).toBe(1)
    for (const each of documents) {
      if (each.kind === 'PodDisruptionBudget') expect(picks(each.spec.selector.matchLabels)).toBe(1)
      if (each.kind === 'Service') expect(picks(each.spec.selector)).toBe(1)
      if (each.kind === 'NetworkPolicy') expect(picks(each.spec.podSelector.matchLabels)).toBe(3)
    }
    const roles = deployments.map(({ spec }) => spec.template.spec.containers[0].args)
    expect(roles.toSorted()).toEqual([['clock'], ['http'], ['worker']])
    for (const role of roles) expect(readCommand(role)).toEqual({ kind: 'serve', roles: role })
    for (const {
      spec,
      metadata: { name },
    } of deployments) {
      const [{ volumeMounts }] = spec.template.spec.containers
      expect(volumeMounts.map((mount: any) => mount.name)).toEqual(
        spec.template.spec.volumes.map((volume: any) => volume.name),
      )
      if (name === 'les-clock') expect(spec.replicas).toBe(1)
    }
  })

  it('set what the service knows as settings, and nothing that it would refuse', () => {
    const settings = documents.find((each) => each.kind === 'ConfigMap')!.data
    for (const { spec } of deployments) {
      const [{ env, ports, args }] = spec.template.spec.containers
      const area = mkdtempSync(join(tmpdir(), 'les-manifest-'))
      try {
        const files = Object.fromEntries(
          env.map(({ name, value }: Record<'name' | 'value', string>) => {
            expect(value).toMatch(/^\/run\/secrets\/les\/[a-z-]+$/)
            const file = join(area, name)
            const texts: Record<string, string> = {
              DATABASE_URL_FILE: 'postgres://les@db/les',
              LES_MASTER_KEY_FILE: Buffer.alloc(32, 7).toString('base64'),
              LES_OPERATOR_TOKEN_FILE: 'a-token-that-is-long-enough-for-it',
            }
            writeFileSync(file, texts[name]!)
            return [name, file]
          }),
        )
        const config = readConfig({ ...settings, ...files, LES_SANDBOX: '1', LES_ROLES: args[0] })
        expect(ports).toEqual([
          { name: 'http', containerPort: config.port },
          { name: 'metrics', containerPort: config.metricsPort },
        ])
      } finally {
        rmSync(area, { recursive: true, force: true })
      }
    }
  })

  it('run without root, on a file system that is read only, with nothing allowed that is not needed', () => {
    for (const { spec } of deployments) {
      const pod = spec.template.spec
      expect(pod).toMatchObject({ automountServiceAccountToken: false, securityContext: { runAsNonRoot: true } })
      expect(pod.containers[0].securityContext).toMatchObject({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
    }
  })
})

describe('the units of systemd', () => {
  const units = readdirSync(join(root, 'deploy/systemd')).filter((name) => name.endsWith('.service'))
  it('start roles that there are, and set what the service knows', () => {
    for (const unit of units) {
      const text = read(`deploy/systemd/${unit}`)
      const words = /^ExecStart=\S+ \S+les-server\.mjs(.*)$/m.exec(text)![1]!.trim().split(' ').filter(Boolean)
      expect(readCommand(words), unit).toEqual({ kind: 'serve', roles: words })
    }
  })
  it.skipIf(!isHere('systemd-analyze'))('are taken by systemd without a word, and a misspelt one is not', () => {
    const area = mkdtempSync(join(tmpdir(), 'les-units-'))
    const verify = (names: readonly string[]) => {
      const { status, stderr } = spawnSync(
        'systemd-analyze',
        ['verify', '--man=no', '--recursive-errors=no', ...names.map((name) => join(area, name))],
        { encoding: 'utf8' },
      )
      return { status, stderr }
    }
    try {
      for (const unit of units)
        writeFileSync(
          join(area, unit),
          // The program of an installation is not here.
          read(`deploy/systemd/${unit}`).replace(/^(ExecStart=)\S+/m, `$1${process.execPath}`),
        )
      expect(verify(units)).toEqual({ status: 0, stderr: '' })
      writeFileSync(
        join(area, 'bad.service'),
        read(`deploy/systemd/${units[0]}`).replace('ProtectSystem', 'ProtectSistem'),
      )
      expect(verify(['bad.service']).stderr).toContain('ProtectSistem')
    } finally {
      rmSync(area, { recursive: true, force: true })
    }
  })
})

describe('the examples', () => {
  const folder = join(root, 'examples')
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))

  it('are each looked at by a test: receivers are run by that of deliveries, recipes held by recipes.test.ts', () => {
    const receivers = read('packages/server/test/delivery/receivers.test.ts')
    const unseen = files.filter(
      (file) =>
        !receivers.includes(`'${file.replace(/^receivers\//, '')}'`) &&
        !/^(?:n8n|make)\/.+\.json$|^zapier\//.test(file),
    )
    expect(unseen).toEqual([])
  })

  it.runIf(isHere('go', 'version'))('the receiver in Go, which only the long run compiles, is written as Go is', () => {
    const { status, stderr } = spawnSync('gofmt', ['-l', 'receiver.go'], {
      cwd: join(folder, 'receivers'),
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([0, ''])
  })
})

describe('the pages for whoever runs it', () => {
  const pages = ['docs/backup.md', 'docs/deploy.md', 'docs/operations.md', 'docs/retention.md'].concat(
    readdirSync(join(root, 'docs/runbooks')).map((name) => `docs/runbooks/${name}`),
  )

  /** What a command says of itself. */
  async function helpOf(name: string): Promise<string> {
    let said = ''
    const say = (text: string) => void (said += text)
    const words = ['--help']
    if (name === 'backup' || name === 'restore') await runBackupCommand(name, words, { out: say, err: say })
    else if (name === 'doctor') await runDoctor(words, say)
    else await runOperatorCommand(name, words, { out: say, err: say })
    return said
  }

  it('name commands that there are, with options that their help has', async () => {
    const helps = Object.fromEntries(
      await Promise.all(Object.keys(commands).map(async (name) => [name, await helpOf(name)] as const)),
    )
    // In code alone: fenced, or between backticks.
    const codeIn = (page: string) => read(page).match(/```[\s\S]*?```|`[^`\n]+`/g) ?? []
    const wrong = pages.flatMap((page) =>
      codeIn(page).flatMap((code) =>
        [...code.matchAll(/\bles-server(?:\.mjs)? ([a-z][\w-]*)([^`\n]*)/g)].flatMap(([, name, rest]) => {
          if (readCommand([name!]).kind === 'serve') return []
          const help = helps[name!]
          if (help === undefined) return [`${page}: ${name}`]
          // The command ends where a comment or the next one begins.
          const flags = rest!.split(/ #|&&|;| {2}/)[0]!.match(/--[a-z][a-z-]*/g) ?? []
          return flags.filter((flag) => !help.includes(flag)).map((flag) => `${page}: ${name} ${flag}`)
        }),
      ),
    )
    expect(wrong).toEqual([])
    expect(helps.backup).toContain('--to')
  })

  it('and for whoever works on it name scripts and files that there are', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Readonly<Record<string, string>> }
    const written = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`)
      .concat('README.md', 'CONTRIBUTING.md', 'AGENTS.md', 'scripts/README.md')
    const wrong = written.flatMap((page) => {
      const text = read(page)
      const names = [...text.matchAll(/\bnpm run ([a-z][a-z:-]*[a-z])/g)].map(([, name]) => name!)
      const files = [...text.matchAll(/\bnode ((?:bench|scripts|packages)\/[\w./-]+\.m?ts)/g)].map(([, file]) => file!)
      return [
        ...names.filter((name) => !(name in scripts)).map((name) => `${page}: npm run ${name}`),
        ...files.filter((file) => !existsSync(join(root, file))).map((file) => `${page}: ${file}`),
      ]
    })
    expect(wrong).toEqual([])
  })

  it('install files that lie in the tree', () => {
    const named = [...read('docs/deploy.md').matchAll(/(?:\/opt\/les\/)?\b(deploy\/[\w./-]*\w)/g)].map(
      ([, path]) => path!,
    )
    expect(named.length).toBeGreaterThan(8)
    const made = ['deploy/.env', 'deploy/secrets']
    expect([...new Set(named)].filter((path) => !made.includes(path) && !existsSync(join(root, path)))).toEqual([])
  })

  it('the command for /usr/local/bin reads the settings of the units as they are, and keeps what is set', () => {
    const area = mkdtempSync(join(tmpdir(), 'les-command-'))
    try {
      mkdirSync(join(area, 'opt/runtime/bin'), { recursive: true })
      writeFileSync(join(area, 'opt/runtime/bin/node'), '#!/bin/sh\nshift; env; echo "WORDS=$*"\n', { mode: 0o755 })
      writeFileSync(join(area, 'les.env'), '# none\nLES_PUBLIC_URL="https://a b/$(touch x)"\nPORT=1\nnot a setting\n')
      writeFileSync(join(area, 'database-url'), 'postgres://x')
      const text = read('deploy/systemd/les-server')
        .replace('etc=/etc/les', `etc=${area}`)
        .replace('/opt/les', join(area, 'opt'))
      writeFileSync(join(area, 'les-server'), text, { mode: 0o755 })
      const { stdout, stderr } = spawnSync('sh', [join(area, 'les-server'), 'backup', '--to', 'a b'], {
        encoding: 'utf8',
        env: { PATH: process.env.PATH, PORT: '2', LES_MASTER_KEY: 'k' },
      })
      expect(stderr).toBe('')
      const lines = stdout.split('\n')
      expect(lines).toEqual(
        expect.arrayContaining([
          'LES_PUBLIC_URL=https://a b/$(touch x)',
          'PORT=2',
          `DATABASE_URL_FILE=${area}/database-url`,
          'WORDS=backup --to a b',
        ]),
      )
      expect(stdout).not.toContain('LES_MASTER_KEY_FILE')
    } finally {
      rmSync(area, { recursive: true, force: true })
    }
  })
})
