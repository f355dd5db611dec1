/** Lints docs/generated/openapi.json with Redocly and Spectral, warnings included; fails when either finds anything. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const description = join(root, 'docs/generated/openapi.json')
const rules = join(root, 'scripts/openapi')
const resolve = createRequire(import.meta.url).resolve

/** The file that a package's command runs. */
function command(name: string, bin: string): string {
  const manifest = resolve(`${name}/package.json`)
  const { bin: bins } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: Record<string, string> | string }
  return join(dirname(manifest), typeof bins === 'string' ? bins : bins[bin]!)
}

function run(what: string, args: readonly string[]): boolean {
  // Neither tool may ask the network for anything.
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  })
  console.log(`${what}: ${status === 0 ? 'clean' : 'found something'}`)
  if (status !== 0) console.error(stdout + stderr)
  return status === 0
}

if (!existsSync(description)) throw new Error('docs/generated/openapi.json is missing: npm run generate')
const lints = [
  run('Redocly', [command('@redocly/cli', 'redocly'), 'lint', description, '--config', join(rules, 'redocly.yaml')]),
  run('Spectral', [
    command('@stoplight/spectral-cli', 'spectral'),
    'lint',
    description,
    '--ruleset',
    join(rules, 'spectral.yaml'),
    '--fail-severity',
    'warn',
  ]),
]
if (lints.includes(false)) process.exit(1)
