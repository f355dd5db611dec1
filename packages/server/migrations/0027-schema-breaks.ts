/**
 * Which migrations a program from before them cannot work with. A program that meets a migration it does not know goes on unless
 * the name stands here, so that the one before can run beside the new one, and come back in its place.
 */
export const statements = ['create table schema_break (migration text primary key)'] as const
