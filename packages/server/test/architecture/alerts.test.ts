/** The alerts as files say what docs/operations.md says, each with a runbook; dashboards ask only for metrics that there are. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const operations = read('docs/operations.md')
const rules = read('deploy/prometheus/rules.yml')

/** The rows of the table of alerts: when, for how long, what it means. */
const table = operations
  .slice(operations.indexOf('### Alerts to begin with'), operations.indexOf('## Traces'))
  .split('\n')
  .flatMap((line) => {
    const found = /^\| `(.+)` \| (\S+)(?: (min|h))? \| (.+) \|$/.exec(line)
    return found ? [{ when: found[1]!, for: `${found[2]}${found[3] === 'h' ? 'h' : 'm'}`, means: found[4]! }] : []
  })

const unquoted = (text: string) => text.replace(/^'|'$/g, '').replaceAll("''", "'")
const alerts = rules
  .split('- alert: ')
  .slice(1)
  .map((text) => {
    const field = (name: string) => unquoted(new RegExp(`^\\s+${name}: (.+)$`, 'm').exec(text)![1]!)
    return { when: field('expr'), for: field('for'), means: field('description'), runbook: field('runbook') }
  })

const promtool = spawnSync('promtool', ['--version']).error === undefined
// A skip that nobody sees would be no test.
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
  it('are those of docs/operations.md, in its order and words', () => {
    expect(table.length).toBeGreaterThan(5)
    expect(alerts.map(({ runbook: _, ...rest }) => rest)).toEqual(table)
  })
  it('each lead to a runbook that is there', () => {
    expect(alerts.map(({ runbook }) => runbook).filter((path) => !existsSync(join(root, path)))).toEqual([])
  })
  it('and dashboards ask only for metrics that the service has', () => {
    const known = new Set([...operations.matchAll(/`(les_\w+)`/g)].map(([, name]) => name!))
    const boards = readdirSync(join(root, 'deploy/grafana')).map((name) => read(`deploy/grafana/${name}`))
    const asked = [...[rules, ...boards].join('\n').matchAll(/\bles_\w+/g)].map(([name]) =>
      name.replace(/_bucket$/, ''),
    )
    expect([...new Set(asked)].filter((name) => !known.has(name))).toEqual([])
  })
})
