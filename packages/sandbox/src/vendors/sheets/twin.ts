import { z } from 'zod'
import type { Exchange } from '../exchange.ts'
import { serveSheets, SHEETS_BASE } from './serve.ts'
import { serveToken, TOKEN_BASE } from './token.ts'
import { openDrive } from './workbooks.ts'

/** A manual change of a service account; registering its public key turns signature checks on. */
const accountChange = z.union([z.strictObject({ publicKey: z.string() }), z.strictObject({ revoked: z.boolean() })])
const bookChange = z.union([
  z.strictObject({ rename: z.string(), to: z.string() }),
  z.strictObject({ remove: z.string() }),
  z.strictObject({ tab: z.string(), rows: z.array(z.array(z.union([z.string(), z.number(), z.boolean()]))) }),
])

/** Two twins on one drive: sheets (by spreadsheet id) and tokens (by service account address). */
export function createGoogle() {
  const drive = openDrive()
  return {
    sheets: {
      prefix: SHEETS_BASE,
      serve: (exchange: Exchange) => serveSheets(drive, exchange),
      view: (id: string) => ({ tabs: drive.book(id).tabs }),
      change(id: string, change: unknown): void {
        const read = bookChange.parse(change)
        const book = drive.book(id)
        if ('rename' in read) for (const tab of book.tabs) tab.title = tab.title === read.rename ? read.to : tab.title
        else if ('remove' in read) book.tabs = book.tabs.filter(({ title }) => title !== read.remove)
        else drive.tab(id, read.tab).rows = read.rows
      },
      clear: () => drive.clear(),
    },
    token: {
      prefix: TOKEN_BASE,
      serve: (exchange: Exchange) => serveToken(drive, exchange),
      view: (email: string) => ({ tokens: [...drive.tokens.values()].filter((token) => token.email === email) }),
      change(email: string, change: unknown): void {
        const read = accountChange.parse(change)
        if ('publicKey' in read) drive.keys.set(email, read.publicKey)
        else if (read.revoked) drive.revoked.add(email)
        else drive.revoked.delete(email)
      },
      clear: () => drive.clear(),
    },
  }
}
