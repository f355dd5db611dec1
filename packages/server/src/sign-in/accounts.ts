/** People that the service itself makes: the one of the demo. */
import type { Auth } from './better-auth.ts'

/** Makes sure that somebody can sign in with an address, taken for proven, and this password; answers their id. */
export async function ensureUser(
  auth: Auth,
  wanted: { readonly email: string; readonly name: string; readonly password: string },
): Promise<string> {
  const { internalAdapter, password } = await auth.$context
  const hash = await password.hash(wanted.password)
  const known = await internalAdapter.findUserByEmail(wanted.email)
  if (known) {
    await internalAdapter.updatePassword(known.user.id, hash)
    await internalAdapter.updateUser(known.user.id, { emailVerified: true })
    return known.user.id
  }
  const user = await internalAdapter.createUser(
    { email: wanted.email, name: wanted.name, emailVerified: true },
    { method: 'email-password' },
  )
  await internalAdapter.linkAccount({ userId: user.id, providerId: 'credential', accountId: user.id, password: hash })
  return user.id
}
