import type { Reply } from '../vendor.ts'

/** A success: the data inside LinkdAPI's envelope. */
export function success(data: unknown): Reply {
  return {
    status: 200,
    body: { success: true, statusCode: 200, message: 'Data retrieved successfully', errors: null, data },
  }
}

/** A failure: `status` is the HTTP status, `statusCode` what the body says (a missing thing is 404 inside HTTP 200). */
export function failed(status: number, statusCode: number, message: string): Reply {
  return { status, body: { success: false, statusCode, message, errors: [message], data: null } }
}
