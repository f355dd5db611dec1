/**
 * Which rules judge people, posts and titles: part of what a kept judgement was made by, so that a release with other rules judges
 * everybody again. `version.test.ts` asks for a new number when a rule has changed.
 */
export const rulesVersion = 1
