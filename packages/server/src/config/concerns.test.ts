import { describe, expect, it } from 'vitest'
import { signUp, serving, database, readConfig } from './env.ts'
import { known } from './known.ts'
import type { Environment, Reading } from './reading.ts'
import { vendors } from './vendors.ts'

const reading = (env: Environment = {}): Reading => ({ env, mistakes: [] })

describe('settings by concern', () => {
  it("a malformed address of the database still counts as a database of one's own", () => {
    const from = reading({ DATABASE_URL: 'nonsense' })
    expect(database(from)).toEqual({
      databaseUrl: null,
      databaseDirectUrl: undefined,
      databaseReplicaUrl: undefined,
      external: true,
    })
    expect(from.mistakes).toHaveLength(1)
  })
  it.each(['DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL'])('%s alone is a mistake', (name) => {
    const from = reading({ [name]: 'postgres://u:p@db.example/les' })
    expect(database(from).external).toBe(false)
    expect(from.mistakes).toEqual([
      `${name} is set without DATABASE_URL: set both, or neither for the embedded database`,
    ])
  })
  it("no vendor is the sandbox, and beside a database of one's own only when that is asked for (G2)", () => {
    expect(vendors(reading(), false)).toEqual({ kind: 'sandbox' })
    for (const [env, mistakes] of [
      [{}, 1],
      [{ LES_SANDBOX: '1' }, 0],
    ] as const) {
      const from = reading(env)
      expect([vendors(from, true).kind, from.mistakes.length]).toEqual(['sandbox', mistakes])
    }
  })
  it('sign-up is open where credits are invented and by invitation elsewhere', () => {
    expect([signUp(reading(), 'sandbox'), signUp(reading(), 'real')]).toEqual(['open', 'invited'])
    expect(signUp(reading({ LES_SIGN_UP: 'everybody' }), 'sandbox')).toBe('off')
  })
  it('a cap of nothing is a cap, and none set is none', () => {
    expect(serving(reading()).dailyDollars).toEqual({})
    expect(serving(reading({ LES_LINKDAPI_DAILY_DOLLARS: '0' })).dailyDollars).toEqual({ linkdapi: 0 })
  })
  it('every known name can be set without being called unknown, and no name is listed twice', () => {
    expect(new Set(known).size).toBe(known.length)
    const mistakes = (name: string): string => {
      try {
        readConfig({ [name]: '' })
        return ''
      } catch (error) {
        return (error as Error).message
      }
    }
    expect(known.map(mistakes).join('')).not.toContain('is not a setting')
    expect(mistakes('LES_OTHER')).toContain('LES_OTHER is not a setting of this service')
  })
})
