/** The pages of the reference are whole: every operation, and for every stable code what to do. */
import { describe, expect, it } from 'vitest'
import { referencePages } from '../../../scripts/openapi/reference.ts'
import { adviceFor, contractErrors, hasAdvice, registry, type Operation } from '../src/index.ts'

const pages = Object.fromEntries(Object.entries(referencePages()).map(([name, make]) => [name, make()]))
const codes = [...new Set(Object.values(contractErrors).flatMap(({ code }) => (code === null ? [] : [code as string])))]

describe('the reference', () => {
  it.each((registry as readonly Operation[]).map((operation) => [operation.id, operation] as const))(
    '%s stands on the page of its group',
    (_id, operation) => {
      expect(pages[`reference/${operation.tag}.md`]).toContain(
        `\`${operation.method} /api/v1${operation.path}\` (\`${operation.id}\`)`,
      )
    },
  )

  it('every stable code has advice of its own, and a page that gives it: add it to advice.ts', () => {
    expect(codes.filter((code) => !hasAdvice(code))).toEqual([])
    for (const code of codes) expect(pages[`reference/errors/${code}.md`]).toContain('## What to do')
  })

  it('a refusal without a code is advised by its status', () => {
    expect(
      Object.values(contractErrors).filter(
        ({ status, code }) => code === null && adviceFor(status, null).startsWith('Read the message'),
      ),
    ).toEqual([])
  })

  it('every link leads to a page', () => {
    const broken = Object.entries(pages).flatMap(([name, text]) =>
      [...text.matchAll(/\]\(([^)#]+\.md)\)/g)]
        .map(([, link]) => new URL(link!, `file:///${name}`).pathname.slice(1))
        .filter((target) => pages[target] === undefined && target !== 'errors.md')
        .map((target) => `${name} -> ${target}`),
    )
    expect(broken).toEqual([])
  })
})
