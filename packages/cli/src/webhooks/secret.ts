/** Where the signing secret comes from: a file, the environment, or the service; never the command line. */
import { readFileSync } from 'node:fs'
import { entryOf } from '../catalogue/load.ts'
import { bare } from '../environment.ts'
import { usage } from '../failure.ts'
import type { GlobalOptions, Shell } from '../options.ts'
import { findAccess, openSession } from '../session.ts'
import { keyOf } from './delivery.ts'

export type SecretOptions = GlobalOptions & { readonly secretFile?: string }

function checked(secret: string, from: string): string {
  const trimmed = bare(secret)
  if (!keyOf(trimmed)) throw usage(`${from} is no signing secret: it must be whsec_ and base64`)
  return trimmed
}

/** The secret that was given; undefined when none was. Refuses one that is none. */
export function givenSecret({ secretFile }: SecretOptions, env: Shell['env']): string | undefined {
  if (secretFile !== undefined) {
    try {
      return checked(readFileSync(secretFile, 'utf8'), secretFile)
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === undefined
        ? error
        : usage(`cannot read ${secretFile}: ${(error as Error).message}`)
    }
  }
  return env.LES_SIGNING_SECRET ? checked(env.LES_SIGNING_SECRET, 'LES_SIGNING_SECRET') : undefined
}

/**
 * The secret the service signs with now, read from the webhook settings of any source; undefined when it cannot be
 * asked or has no source yet.
 */
export async function secretOfService(options: GlobalOptions, shell: Shell): Promise<string | undefined> {
  if (!findAccess(options, shell.env).apiKey) return undefined
  const session = openSession(options, shell)
  const { sources } = (await session.call(entryOf('listSources'), {})).value as {
    sources: { id: string; status: string }[]
  }
  const source = sources.find(({ status }) => status === 'active')
  if (!source) return undefined
  const { signingSecret } = (await session.call(entryOf('getSourceWebhook'), { id: source.id })).value
  return typeof signingSecret === 'string' ? signingSecret : undefined
}

/** The secret to work with. Refuses when there is none. */
export async function findSecret(options: SecretOptions, shell: Shell): Promise<string> {
  const secret = givenSecret(options, shell.env) ?? (await secretOfService(options, shell))
  if (secret === undefined)
    throw usage(
      'there is no signing secret: give it with --secret-file or LES_SIGNING_SECRET, ' +
        'or sign in to a team that tracks something',
    )
  return secret
}
