/** Sign-in: who a person is, which teams are theirs, and the mails about it. */
export { type SignIn, openSignIn, originOf } from './sign-in.ts'
export { connectionOperations } from './connection-operations.ts'
export { strictLimits, type SignInLimits } from './limits.ts'
export { openMail, type Mail, type SendMail } from './mail.ts'
export { addMember, findRole } from './memberships.ts'
export { inviteForOperator, peopleOperations } from './operations.ts'
export type { SignInParts } from './parts.ts'
export { forgetSigningKeys, purgeEnded } from './purge.ts'
