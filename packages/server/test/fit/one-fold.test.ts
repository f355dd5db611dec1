import { foldText } from '@les/contract'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase, type TestDatabase } from '../world/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

/** Each text folded; null if it has characters unknown to the database's version of Unicode. */
async function foldedBySql(texts: readonly string[]): Promise<(string | null)[]> {
  const { rows } = await sql<{ folded: string | null }>`
    select case when unicode_assigned(t.text) then text_fold(t.text) end as folded
      from jsonb_array_elements_text(${JSON.stringify(texts)}::jsonb)
      with ordinality as t (text, n) order by n`.execute(database.root)
  return rows.map((row) => row.folded)
}

test('every character there is is compared alike in SQL and in memory [G167, FIX-05]', async () => {
  const differing: string[] = []
  for (let from = 1; from < 0x110000; from += 0x4000) {
    const texts = Array.from({ length: 0x4000 }, (_, at) => from + at)
      .filter((point) => point < 0x110000 && (point < 0xd800 || point > 0xdfff))
      .map((point) => `a${String.fromCodePoint(point)}B`)
    const folded = await foldedBySql(texts)
    texts.forEach((text, at) => {
      if (folded[at] !== null && folded[at] !== foldText(text))
        differing.push(`${text.codePointAt(1)!.toString(16)} ${text}`)
    })
  }
  expect(differing).toEqual([])
})

test('random texts of what is folded are compared alike in SQL and in memory, and folding twice changes nothing [G167]', async () => {
  const units =
    'aB ßẞςσΣΆΐͅᾳᾼİıIﬁ𝐇𝗴Ⅷ½™é\u0301\u0327\u0345\u00ad\u200b\u200d\u200c' +
    "\u2060\ufeff\ufe0f👩👧❤\u00a0\u2003\u3000\n\t-‐‑–—−'’´`ʼ％%＿\\և가ㄱ\u1100\u1161ガｶﾞאلا\u0940क\u094d"
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: fc.constantFrom(...units), maxLength: 12 }), { minLength: 20, maxLength: 40 }),
      async (texts) => {
        const folded = texts.map(foldText)
        expect(await foldedBySql(texts)).toEqual(folded)
        expect(folded.map(foldText)).toEqual(folded)
      },
    ),
    { numRuns: 200, seed: 167 },
  )
})
