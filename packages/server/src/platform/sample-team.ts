/** The sample team (decision 0020), in every database: made-up data for all to view, without members, never worked on. */
export const sampleTeamId = '5a3b1e00-7ea0-4000-8000-000000000001'
