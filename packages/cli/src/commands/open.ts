import { usage } from '../failure.ts'
import { printNote } from '../options.ts'
import { findAccess } from '../session.ts'
import type { Given } from './own-command.ts'

/** Opens a dashboard page; without a browser, or with `--print`, prints its address. */
export async function open({
  args,
  options,
  shell,
}: Given<{ readonly print?: boolean; readonly id?: string }>): Promise<void> {
  const { baseUrl } = findAccess(options, shell.env)
  const page = args[0] ?? 'leads'
  const detail = options.id
  if (detail !== undefined && !['sources', 'keyword', 'discover', 'leads'].includes(page))
    throw usage(`--id goes with leads, sources, keyword or discover, not with ${page}`)
  const path =
    detail === undefined
      ? `/${page}`
      : page === 'leads'
        ? `/leads?lead=${encodeURIComponent(detail)}`
        : `/${page}/${encodeURIComponent(detail)}`
  const address = new URL(path, baseUrl).href
  shell.stdout.write(`${address}\n`)
  if (options.print || !shell.stdout.isTty || !shell.browse) return
  if (!(await shell.browse(address))) printNote(shell, 'No browser could be started: open the address yourself.')
}
