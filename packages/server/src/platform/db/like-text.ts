/** A LIKE pattern for texts that contain `text` literally. */
export const likeText = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`
