export { startSandbox, type Sandbox, type SandboxOptions } from './server.ts'
export type { Limits, World } from './world/world.ts'
export type { Actor } from './world/directory.ts'
export type { Company } from './world/companies.ts'
export type { Comment, Reaction, ReactionType } from './world/engagement.ts'
export type { Post } from './world/network.ts'
export type { Hit, PostQuery } from './world/search.ts'
export type { Person, Position } from './world/people.ts'
export type {
  ActorSeed,
  CommentSeed,
  CompanySeed,
  OwnPostSeed,
  PersonSeed,
  PositionSeed,
  PostSeed,
  ReactionSeed,
  SearchSeed,
} from './world/seed-schemas.ts'
export type { Call, CallFilter, CallStatus } from './traffic/calls.ts'
export { FAULT_KINDS, type ArmedFault, type FaultRule } from './traffic/faults.ts'
export type { Release } from './traffic/holds.ts'
export type { CampaignLead, CampaignSeed, CampaignView, Outreach } from './vendors/heyreach/workspace.ts'
export type { CallMatch } from './traffic/match.ts'
