/** Installs the platforms' own tools (hundreds of megabytes) on demand, as each package's lock file says. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../package/names.ts'
import type { Platform } from '../package/platforms.ts'

export function withTools(platform: Platform): string {
  const folder = join(root, 'integrations', platform)
  if (!existsSync(join(folder, 'node_modules')))
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'ignore' })
  return folder
}
