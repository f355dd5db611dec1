/**
 * Checks every regular expression in the sources with recheck for more than linear time. Safe ones are listed in `safe.json`, so
 * only new ones are checked; vulnerable or undecided ones must be fixed or listed in `judged.ts` with the bound on their text.
 * `--write` checks new ones and writes the list.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findRegexes } from './find.ts'
import { judged } from './judged.ts'

process.env.RECHECK_BACKEND = 'pure'
const packages = fileURLToPath(new URL('../../packages', import.meta.url))
const listed = fileURLToPath(new URL('./safe.json', import.meta.url))
/** Milliseconds per expression; a timeout counts as undecided. Generous, for busy machines. */
const timeout = 60_000

function ours(): Map<string, string> {
  const found = new Map<string, string>()
  for (const name of readdirSync(packages)) {
    const folder = join(packages, name, 'src')
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.tsx?$/.test(entry.name) || /\.test\.tsx?$/.test(entry.name)) continue
      const path = join(entry.parentPath, entry.name)
      const literals = findRegexes(readFileSync(path, 'utf8'), path.endsWith('x') ? 'tsx' : 'ts')
      for (const { source, flags, line } of literals) {
        const literal = `/${source}/${flags}`
        if (!found.has(literal)) found.set(literal, `packages/${relative(packages, path)}:${line}`)
      }
    }
  }
  return found
}

/** `safe`, or why it is not. */
async function judge(literal: string): Promise<string> {
  const { checkSync } = await import('recheck')
  const end = literal.lastIndexOf('/')
  const verdict = checkSync(literal.slice(1, end), literal.slice(end + 1), { timeout })
  if (verdict.status === 'safe') return 'safe'
  if (verdict.status === 'vulnerable') return `${verdict.complexity.summary}, for example ${verdict.attack.pattern}`
  return `not decided (${verdict.error.kind})`
}

const safe = new Set(JSON.parse(readFileSync(listed, 'utf8')) as string[])
const all = ours()
const wrong: string[] = []
let changed = [...safe].some((literal) => !all.has(literal))
for (const [literal, place] of all) {
  if (safe.has(literal) || literal in judged) continue
  const verdict = await judge(literal)
  if (verdict !== 'safe') wrong.push(`${place}\n  ${literal}\n  ${verdict}`)
  else {
    safe.add(literal)
    changed = true
  }
}
const stale = Object.keys(judged).filter((literal) => !all.has(literal))
for (const literal of stale) wrong.push(`judged.ts lists an expression that is gone: ${literal}`)
if (process.argv.includes('--write'))
  writeFileSync(listed, `${JSON.stringify([...safe].filter((literal) => all.has(literal)).toSorted(), null, 2)}\n`)
else if (changed && wrong.length === 0)
  console.log(
    'safe.json does not list what was just judged: run npm run check:regexes -- --write, then nobody waits for it again',
  )
if (wrong.length > 0) {
  console.error(
    `${wrong.join('\n')}\nMend these, or list them in scripts/regexes/judged.ts with what bounds their text.`,
  )
  process.exitCode = 1
} else console.log(`${all.size} regular expressions, ${Object.keys(judged).length} of them judged by hand`)
