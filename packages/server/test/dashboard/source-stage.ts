import { likes, sweep } from '../scenarios/sync-stage.ts'
import type { Team, World } from '../world/world.ts'

/** Tracks an author whose post has fans with these job titles and some ordinary ones, and does all work. */
export async function enrichesTo(
  world: World,
  team: Team,
  titles: readonly string[],
  settings: Record<string, unknown> = {},
  more: readonly string[] = [],
): Promise<{ readonly id: string; readonly author: string; readonly fans: readonly string[] }> {
  const author = world.handle('author')
  const fans = titles.map((title) => {
    const handle = world.handle('fan')
    world.network.seedPerson({ handle, title })
    return handle
  })
  world.network.seedPost({ author, reactions: likes([...fans, ...more]), comments: [] })
  return { id: (await sweep(world, team, author, settings)).sourceId, author, fans }
}

/** The dashboard's label of a tracked person: the name on their posts. */
export const nameOfPerson = (world: World, handle: string): string => world.network.person(handle)!.name
