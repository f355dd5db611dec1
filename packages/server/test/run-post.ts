import type { RunPost } from '../src/modules/sources/index.ts'

/** A post of a run, not read yet, by default with five declared reactions and four comments. */
export const runPost = (more: Partial<RunPost> = {}): RunPost => ({
  position: 0,
  urn: 'urn:li:activity:1',
  url: 'https://x/1',
  authorUrn: null,
  postedAt: null,
  declared: 9,
  phase: 'reactions',
  provider: null,
  cursor: null,
  replies: [],
  reactionsDeclared: 5,
  commentsDeclared: 4,
  reactionsSeen: 0,
  seen: 0,
  rowsTaken: 0,
  turns: 0,
  pageRest: null,
  heldBackBy: null,
  readAlone: false,
  ...more,
})
