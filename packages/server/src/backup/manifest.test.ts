import { describe, expect, it } from 'vitest'
import { inOrder, readManifest } from './manifest.ts'

describe('the description of a backup', () => {
  it('puts each table after those it refers to, one that refers to itself included, and refuses a circle', () => {
    expect(
      inOrder([
        { id: 'lead', refersTo: ['source', 'team'] },
        { id: 'source', refersTo: ['team', 'source'] },
        { id: 'team', refersTo: [] },
      ]),
    ).toEqual(['team', 'source', 'lead'])
    expect(() =>
      inOrder([
        { id: 'a', refersTo: ['b'] },
        { id: 'b', refersTo: ['a'] },
      ]),
    ).toThrow('circle')
  })
  it('is refused when it is damaged, of another layout, or names a file outside its folder', () => {
    const whole = {
      format: 1,
      madeAt: '2026-01-01T00:00:00.000Z',
      postgres: '18.4',
      migrations: ['0001-foundation'],
      tables: [{ schema: 'public', name: 'team', columns: ['id'], rows: 1, file: 'tables/public.team', sha256: 'x' }],
      sequences: [],
      masterKey: { fingerprint: null, sealedIn: null },
    }
    expect(readManifest(JSON.stringify(whole))).toEqual(whole)
    expect(() => readManifest('{"format":1')).toThrow('damaged')
    expect(() => readManifest(JSON.stringify({ ...whole, format: 2 }))).toThrow('another version')
    const elsewhere = { ...whole, tables: [{ ...whole.tables[0], file: '../../etc/passwd' }] }
    expect(() => readManifest(JSON.stringify(elsewhere))).toThrow('tables.0.file')
  })
})
