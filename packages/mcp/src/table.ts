/**
 * Which tool carries which operations. An operation is one line here: `operations` maps the values of a tool's selectors (joined
 * by a space, in their order) to the operation's id. A generated test names every operation that no tool carries.
 */
import type { ToolEntry } from './tool-entry.ts'
import { deliveryTools } from './tools-delivery.ts'
import { postTools } from './tools-posts.ts'
import { sourceTools } from './tools-sources.ts'
import { teamTools } from './tools-team.ts'

/** Every tool, in the order in which it is listed. */
export const toolTable: readonly ToolEntry[] = [...sourceTools, ...deliveryTools, ...postTools, ...teamTools]
