/** The vault place of a REST hook's secret. */
export const placeOfHookSecret = (hookId: string): string => `hook|${hookId}`
