/** The master key: does it open what this database was sealed under? */
import { findMasterKey, findRunningDatabase } from '../../backup/place.ts'
import { fingerprintOf, opensCheck } from '../../platform/secrets.ts'
import type { Check } from '../check.ts'
import { onDatabase } from './database.ts'

/** The check of the master key. */
export const masterKey: Check = {
  name: 'master key',
  about: 'opens the value that was sealed at the first start',
  run: async ({ config }) => {
    const key = await findMasterKey(config)
    if (key === null) return [{ level: 'ok', text: 'there is none yet: the first start makes and keeps one' }]
    const sealed = await onDatabase(await findRunningDatabase(config), async (client) => {
      const { rows } = await client.query<{ there: boolean }>(
        `select to_regclass('public.master_key_check') is not null as there`,
      )
      if (!rows[0]!.there) return []
      return (
        await client.query<{ fingerprint: string; sealed: Buffer }>('select fingerprint, sealed from master_key_check')
      ).rows
    })
    const fingerprint = fingerprintOf(key)
    if (sealed === null || sealed.length === 0)
      return [{ level: 'skipped', text: `nothing sealed is there to try it on (fingerprint ${fingerprint})` }]
    return opensCheck(key, sealed[0]!.sealed)
      ? [
          {
            level: 'ok',
            text: `it opens what is sealed (fingerprint ${fingerprint}): keep a copy of it beside the backups`,
          },
        ]
      : [
          {
            level: 'bad',
            text: `this one has the fingerprint ${fingerprint}, the database was sealed under ${sealed[0]!.fingerprint}`,
            advice:
              'set LES_MASTER_KEY to the key that was used before, or put the file master-key of the data folder back',
          },
        ]
  },
}
