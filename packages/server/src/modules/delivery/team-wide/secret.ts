/** What the sealed secret of a REST hook is bound to, besides its team. */
export const placeOfHookSecret = (hookId: string): string => `hook|${hookId}`
