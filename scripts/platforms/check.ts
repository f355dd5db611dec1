/** `npm run check:platforms`: n8n's linters, Zapier's validation, and TypeScript, each on the packages of the platforms. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { layOutPlatform } from '../package/platforms.ts'
import { withTools } from './tools.ts'

const n8n = withTools('n8n')
const zapier = withTools('zapier')

const passes = (program: string, args: readonly string[]): boolean =>
  spawnSync(join(n8n, 'node_modules/.bin', program), args, { cwd: n8n, stdio: 'inherit' }).status === 0

async function findings(): Promise<readonly unknown[]> {
  const folder = mkdtempSync(join(tmpdir(), 'les-zapier-'))
  try {
    const from = createRequire(join(await layOutPlatform('zapier', folder), 'package.json'))
    const { createAppHandler } = createRequire(join(zapier, 'package.json'))('zapier-platform-core')
    return (await createAppHandler(from('./index.js'))({ command: 'validate' })).results
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const found = await findings()
for (const finding of found) console.error('integrations/zapier:', finding)
const results = [
  passes('eslint', ['--max-warnings', '0', '.']),
  passes('tsc', ['--noEmit', '-p', n8n]),
  passes('tsc', ['--noEmit', '-p', zapier]),
  found.length === 0,
]
if (results.includes(false)) process.exit(1)
console.log('n8n has nothing to say of the nodes, nor Zapier of the app')
