/** Runs the packed Zapier app: with `zapier-platform-core` in the long run, otherwise with a `z` that makes the same requests. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { layOutPlatform } from '../../../../scripts/package/platforms.ts'
import { withTools } from '../../../../scripts/platforms/tools.ts'
import { long } from '../world/amount.ts'
import { temporaryFolder } from '../world/folder.ts'

/** The app, and what runs one of its functions as Zapier does. */
export type Zapier = {
  readonly app: any
  run(perform: unknown, bundle: Record<string, unknown>): Promise<any>
  /** Zapier's own findings about the app; null without its program. */
  validate(): Promise<readonly unknown[]> | null
}

class AppError extends Error {}

/** A `z` for one bundle, with the app's middleware. */
function doubleOf(app: any, bundle: Record<string, unknown>) {
  const z = {
    errors: { Error: AppError, ExpiredAuthError: AppError, ThrottledError: AppError },
    console: { log: () => {} },
    request: async (first: any) => {
      const asked = typeof first === 'string' ? { url: first, headers: {} } : { headers: {}, ...first }
      const [addKey] = app.beforeRequest
      const { url, method = 'GET', params, body, headers, skipThrowForStatus } = addKey(asked, z, bundle)
      const answer = await fetch(params ? `${url}?${new URLSearchParams(params)}` : url, {
        method,
        headers,
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      const getHeader = (name: string) => answer.headers.get(name)
      const response = { status: answer.status, data: await answer.json(), getHeader, skipThrowForStatus }
      return app.afterResponse.reduce((made: unknown, judge: any) => judge(made, z, bundle), response)
    },
  }
  return z
}

/** Opens the app from the packed folder. */
export async function openZapier(): Promise<Zapier> {
  const folder = await layOutPlatform('zapier', join(await temporaryFolder('les-zapier-'), 'package'))
  const app = createRequire(join(folder, 'package.json'))('./index.js')
  if (!long)
    return { app, run: async (perform: any, bundle) => perform(doubleOf(app, bundle), bundle), validate: () => null }
  const core = createRequire(join(withTools('zapier'), 'package.json'))('zapier-platform-core')
  return {
    app,
    run: core.createAppTester(app),
    validate: async () => (await core.createAppHandler(app)({ command: 'validate' })).results,
  }
}
