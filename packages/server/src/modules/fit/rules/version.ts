/** The version of this folder's rules, stored with judgements: a new one judges everybody again (see `version.test.ts`). */
export const rulesVersion = 1
