/**
 * The id, in every database, of the sample team (decision 0020): made-up data that every signed-in user may view. It has no
 * members and is never worked on.
 */
export const sampleTeamId = '5a3b1e00-7ea0-4000-8000-000000000001'
