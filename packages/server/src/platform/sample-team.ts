/** The sample team (decision 0020): one team of made-up data that everybody signed in may look at. */

/** Its id, the same in every database. Nothing is ever worked on for it, and nobody is a member of it. */
export const sampleTeamId = '5a3b1e00-7ea0-4000-8000-000000000001'
