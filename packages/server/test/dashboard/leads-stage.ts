import { expect } from 'vitest'
import { capture, type Captured } from '../scenarios/outreach-stage.ts'
import type { Team, World } from '../world/world.ts'
import type { Role } from './least-role.ts'
import type { Pages, SignedIn } from './browser.ts'

/** The rendered rows of the list. */
export const rows = ({ page }: Pick<SignedIn, 'page'>) =>
  page
    .getByRole('grid')
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell') })

/** The row with this text. */
export const rowOf = (seen: Pick<SignedIn, 'page'>, name: string) => rows(seen).filter({ hasText: name })

/** How many rows are fully visible without scrolling. */
export const wholeRows = (seen: Pick<SignedIn, 'page'>): Promise<number> =>
  rows(seen).evaluateAll((elements) => {
    const { innerHeight } = globalThis as unknown as { innerHeight: number }
    return (elements as unknown as { getBoundingClientRect(): { bottom: number } }[]).filter(
      (row) => row.getBoundingClientRect().bottom <= innerHeight,
    ).length
  })

/** Selects a person's row. */
export const pick = async ({ page }: Pick<SignedIn, 'page'>, name: string): Promise<void> =>
  page.getByRole('checkbox', { name: `Choose ${name}` }).click()

/** A team with three people under one source, one of whom fits. */
export async function staged(world: World, team: Team): Promise<Captured> {
  const source = await capture(world, team, [
    { name: 'Sanne Sales', title: 'Head of Sales', country: 'NL' },
    { name: 'Ben Baker', title: 'Baker', country: 'DE' },
    { name: 'Cora Comment', title: 'Sales Manager', country: 'FR', comment: 'We do the same' },
  ])
  expect(
    (
      await team.put(`/profile/${source.username}/icp`, {
        rules: [{ column: 'jobTitle', operator: 'contains', value: 'head of' }],
      })
    ).status,
  ).toBe(200)
  return source
}

/** Opens a page of a new team with these three people. */
export const openStaged = (world: World, pages: Pages) => async (path: string, role: Role) => {
  const team = await world.team({ credits: 5_000 })
  const source = await staged(world, team)
  const seen = await pages.signedIn(team, path, role)
  return { team, source, seen, page: seen.page }
}
