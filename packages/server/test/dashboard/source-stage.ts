/** What tests of sources and credits at the dashboard have in common. */
import { likes, sweep } from '../scenarios/sync-stage.ts'
import type { Team, World } from '../world/world.ts'

/** Tracks an author whose post has fans with these job titles, and some more as they are, and works it all. */
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

/** What the dashboard calls a tracked person: by the name that stands over their posts. */
export const nameOfPerson = (world: World, handle: string): string => world.network.person(handle)!.name
