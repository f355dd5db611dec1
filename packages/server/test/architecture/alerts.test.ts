import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseFolder } from './code.ts'

const root = join(import.meta.dirname, '../../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const rules = read('deploy/prometheus/rules.yml')

const runbooks = [...rules.matchAll(/^\s+runbook: (.+)$/gm)].map(([, path]) => path!)

const promtool = spawnSync('promtool', ['--version']).error === undefined
if (!promtool)
  process.stderr.write('SKIPPED: the rules of alerts are not tried, promtool (Debian: prometheus) is not here\n')

describe('alerts', () => {
  it.skipIf(!promtool)(
    'are rules that Prometheus takes, and each is raised and kept quiet as its test file says',
    () => {
      const run = (...words: string[]) => {
        const { status, stdout, stderr } = spawnSync('promtool', words, {
          cwd: join(root, 'deploy/prometheus'),
          encoding: 'utf8',
        })
        return { status, said: status === 0 ? '' : stdout + stderr }
      }
      expect(run('check', 'rules', 'rules.yml')).toEqual({ status: 0, said: '' })
      expect(run('test', 'rules', 'tests.yml')).toEqual({ status: 0, said: '' })
    },
  )
  it('are each raised by a test of the rules, and kept quiet by another', () => {
    const tests = read('deploy/prometheus/tests.yml')
    const names = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name!)
    const raised = names.filter((name) => new RegExp(`alertname: ${name}\\s+exp_alerts:\\s+- exp_labels`).test(tests))
    const quiet = names.filter((name) => new RegExp(`alertname: ${name}[,\\s]+exp_alerts: \\[\\]`).test(tests))
    expect({ raised, quiet }).toEqual({ raised: names, quiet: names })
  })
  it('each lead to a runbook that is there', () => {
    expect(runbooks.length).toBe(rules.split('- alert: ').length - 1)
    expect(runbooks.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })
  it('and dashboards ask only for metrics that the service has', () => {
    const counted = parseFolder('server/src', {}).flatMap(({ text }) => [...text.matchAll(/name: '(les_\w+)'/g)])
    const known = new Set(counted.map(([, name]) => name!))
    expect(known.size).toBeGreaterThan(20)
    const boards = readdirSync(join(root, 'deploy/grafana')).map((name) => read(`deploy/grafana/${name}`))
    const asked = [...[rules, ...boards].join('\n').matchAll(/\bles_\w+/g)].map(([name]) =>
      name.replace(/_bucket$/, ''),
    )
    expect([...new Set(asked)].filter((name) => !known.has(name))).toEqual([])
  })
})
