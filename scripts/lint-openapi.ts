/** Lints docs/generated/openapi.json with Redocly; any warning fails. */
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const manifest = createRequire(import.meta.url).resolve('@redocly/cli/package.json')
const { bin } = createRequire(import.meta.url)(manifest) as { bin: Record<string, string> }
const rules = join(import.meta.dirname, 'openapi/redocly.yaml')
const { status } = spawnSync(
  process.execPath,
  [join(dirname(manifest), bin.redocly!), 'lint', 'docs/generated/openapi.json', '--config', rules],
  {
    cwd: join(import.meta.dirname, '..'),
    stdio: 'inherit',
    // No network access.
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  },
)
process.exitCode = status ?? 1
