/** Manifests and units in `deploy/` are consistent and name only things that exist. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { readCommand } from '../../src/commands/command-line.ts'
import { readConfig } from '../../src/config/env.ts'

const root = join(import.meta.dirname, '../../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0
if (!hasSystemd) process.stderr.write('SKIPPED: what systemd-analyze checks of deploy/, it is not here\n')

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
  it.skipIf(!hasSystemd)('are taken by systemd without a word, and a misspelt one is not', () => {
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

describe('the command for /usr/local/bin', () => {
  it('reads the settings of the units as they are, and keeps what is set', () => {
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
