/** An unavailable database is not the caller's fault: the edge answers 503 although the library hides the error. */
import { expect, it } from 'vitest'
import { openDatabase } from '../../src/platform/db/open.ts'
import { databaseTrouble } from '../../src/platform/db/trouble.ts'
import { nobodysServer } from '../world/database-url.ts'
import { newPerson, openBrowser, signedIn } from './browser.ts'
import { origin, useSignIn } from './parts.ts'

const own = useSignIn()

it('every path of sign-in and every question who asks fails with the trouble itself, and goes on once it is over', async () => {
  const person = newPerson()
  const page = openBrowser(own.signIn, origin)
  await signedIn(own.signIn, page, person)
  const away = openDatabase(nobodysServer, { poolSize: 1, onError: () => {} })
  const signIn = own.open({ limits: null, db: away.bare })
  const lost = openBrowser(signIn, origin)
  for (const [name, value] of page.cookies) lost.cookies.set(name, value)
  const troubleOf = (work: Promise<unknown>): Promise<unknown> => work.then((answer) => answer, databaseTrouble)
  for (const ask of [
    () => lost.post('/sign-in/email', person),
    () => lost.post('/sign-up/email', newPerson()),
    () => lost.post('/request-password-reset', { email: person.email }),
    () => lost.get('/list-sessions'),
    () => signIn.session(lost.headers()),
  ])
    expect(await troubleOf(ask())).toBe('away')
  await away.close()
  expect(await own.signIn.session(page.headers())).toMatchObject({ email: person.email })
})
