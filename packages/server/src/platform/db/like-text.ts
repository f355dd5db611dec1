/** Looking for a text with LIKE. */

/** Text for a LIKE that contains it literally. */
export const likeText = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`
