import { signingKey } from '@les/contract'
import { entryOf } from '../catalogue/load.ts'
import { cleanSetting } from '../environment.ts'
import { readFile, usage } from '../failure.ts'
import type { GlobalOptions, Shell } from '../options.ts'
import { findAccess, openSession } from '../session.ts'

export type SecretOptions = GlobalOptions & { readonly secretFile?: string }

function checked(secret: string, from: string): string {
  const trimmed = cleanSetting(secret)
  if (!signingKey(trimmed)) throw usage(`${from} is no signing secret: it must be whsec_ and base64`)
  return trimmed
}

/** The secret from file or environment; undefined when none was given, a usage error when malformed. */
export function givenSecret({ secretFile }: SecretOptions, env: Shell['env']): string | undefined {
  if (secretFile !== undefined) return checked(readFile(secretFile).toString(), secretFile)
  return env.LES_SIGNING_SECRET ? checked(env.LES_SIGNING_SECRET, 'LES_SIGNING_SECRET') : undefined
}

/** The service's current secret, read from any source's webhook; undefined without a key or a source. */
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

/** The secret to use; refuses when there is none. */
export async function findSecret(options: SecretOptions, shell: Shell): Promise<string> {
  const secret = givenSecret(options, shell.env) ?? (await secretOfService(options, shell))
  if (secret === undefined)
    throw usage(
      'there is no signing secret: give it with --secret-file or LES_SIGNING_SECRET, ' +
        'or sign in to a team that tracks something',
    )
  return secret
}
