/** Users and their access; written by the sign-in library only. */
export const signIn = `
create schema sign_in;

create table sign_in.user (
  id text primary key, name text not null, email text not null unique,
  "emailVerified" boolean not null, image text, "createdAt" timestamptz not null, "updatedAt" timestamptz not null
);

create table sign_in.session (
  id text primary key, "expiresAt" timestamptz not null, token text not null unique,
  "createdAt" timestamptz not null, "updatedAt" timestamptz not null, "ipAddress" text, "userAgent" text,
  "userId" text not null references sign_in."user" on delete cascade
);
create index "session_userId_idx" on sign_in.session ("userId");

create table sign_in.account (
  id text primary key, "accountId" text not null, "providerId" text not null,
  "userId" text not null references sign_in."user" on delete cascade,
  "accessToken" text, "refreshToken" text, "idToken" text, "accessTokenExpiresAt" timestamptz,
  "refreshTokenExpiresAt" timestamptz, scope text, password text, "createdAt" timestamptz not null,
  "updatedAt" timestamptz not null
);
create index "account_userId_idx" on sign_in.account ("userId");

create table sign_in.verification (
  id text primary key, identifier text not null, value text not null, "expiresAt" timestamptz not null,
  "createdAt" timestamptz not null, "updatedAt" timestamptz not null
);
create index verification_identifier_idx on sign_in.verification (identifier);

create table sign_in."deviceCode" (
  id text primary key, "deviceCode" text not null, "userCode" text not null, "userId" text,
  "expiresAt" timestamptz not null, status text not null, "lastPolledAt" timestamptz, "pollingInterval" integer,
  "clientId" text, scope text
);
create unique index "deviceCode_deviceCode_uidx" on sign_in."deviceCode" ("deviceCode");
create unique index "deviceCode_userCode_uidx" on sign_in."deviceCode" ("userCode");

create table sign_in.jwks (
  id text primary key, "publicKey" text not null, "privateKey" text not null, "createdAt" timestamptz not null,
  "expiresAt" timestamptz, alg text, crv text
);

create table sign_in."oauthClient" (
  id text primary key, "clientId" text not null unique,
  "clientSecret" text, "clientDiscoveryId" text, disabled boolean, "skipConsent" boolean,
  "enableEndSession" boolean, "subjectType" text, scopes jsonb, "clientCredentialsScopes" jsonb,
  "userId" text references sign_in."user" on delete cascade,
  "createdAt" timestamptz, "updatedAt" timestamptz, name text, uri text, icon text, contacts jsonb, tos text,
  policy text, "softwareId" text, "softwareVersion" text, "softwareStatement" text, "redirectUris" jsonb not null,
  "postLogoutRedirectUris" jsonb, "backchannelLogoutUri" text, "backchannelLogoutSessionRequired" boolean,
  "tokenEndpointAuthMethod" text, "applicationType" text, jwks text, "jwksUri" text, "grantTypes" jsonb,
  "responseTypes" jsonb, "requirePKCE" boolean, "dpopBoundAccessTokens" boolean, "referenceId" text, metadata jsonb
);
create index "oauthClient_userId_idx" on sign_in."oauthClient" ("userId");

create table sign_in."oauthResource" (
  id text primary key, identifier text not null unique,
  name text not null, "accessTokenTtl" integer, "refreshTokenTtl" integer, "signingAlgorithm" text,
  "signingKeyId" text, "allowedScopes" jsonb, "customClaims" jsonb, "dpopBoundAccessTokensRequired" boolean,
  disabled boolean, "createdAt" timestamptz, "updatedAt" timestamptz, "policyVersion" integer, metadata jsonb
);

create table sign_in."oauthClientResource" (
  id text primary key, "clientId" text not null references sign_in."oauthClient"("clientId") on delete cascade,
  "resourceId" text not null references sign_in."oauthResource"(identifier) on delete cascade, metadata jsonb,
  "createdAt" timestamptz
);
create index "oauthClientResource_clientId_idx" on sign_in."oauthClientResource" ("clientId");
create index "oauthClientResource_resourceId_idx" on sign_in."oauthClientResource" ("resourceId");
create unique index "oauthClientResource_clientId_resourceId_uidx" on sign_in."oauthClientResource" ("clientId", "resourceId");

create table sign_in."oauthRefreshToken" (
  id text primary key, token text not null unique,
  "clientId" text not null references sign_in."oauthClient"("clientId") on delete cascade,
  "sessionId" text references sign_in.session on delete set null,
  "userId" text not null references sign_in."user" on delete cascade,
  "referenceId" text, "authorizationCodeId" text, resources jsonb, "requestedUserInfoClaims" jsonb,
  "expiresAt" timestamptz not null, "createdAt" timestamptz not null, revoked timestamptz, "rotatedAt" timestamptz,
  "rotationReplayResponse" text, "rotationReplayExpiresAt" timestamptz, "authTime" timestamptz, confirmation jsonb,
  scopes jsonb not null
);
create index "oauthRefreshToken_clientId_idx" on sign_in."oauthRefreshToken" ("clientId");
create index "oauthRefreshToken_sessionId_idx" on sign_in."oauthRefreshToken" ("sessionId");
create index "oauthRefreshToken_userId_idx" on sign_in."oauthRefreshToken" ("userId");
create index "oauthRefreshToken_authorizationCodeId_idx" on sign_in."oauthRefreshToken" ("authorizationCodeId");

create table sign_in."oauthAccessToken" (
  id text primary key, token text not null unique,
  "clientId" text not null references sign_in."oauthClient"("clientId") on delete cascade,
  "sessionId" text references sign_in.session on delete set null,
  "userId" text references sign_in."user" on delete cascade,
  "referenceId" text, "authorizationCodeId" text, resources jsonb, "requestedUserInfoClaims" jsonb,
  "refreshId" text references sign_in."oauthRefreshToken" on delete cascade,
  "expiresAt" timestamptz not null, "createdAt" timestamptz not null, revoked timestamptz, confirmation jsonb,
  scopes jsonb not null
);
create index "oauthAccessToken_clientId_idx" on sign_in."oauthAccessToken" ("clientId");
create index "oauthAccessToken_sessionId_idx" on sign_in."oauthAccessToken" ("sessionId");
create index "oauthAccessToken_userId_idx" on sign_in."oauthAccessToken" ("userId");
create index "oauthAccessToken_authorizationCodeId_idx" on sign_in."oauthAccessToken" ("authorizationCodeId");
create index "oauthAccessToken_refreshId_idx" on sign_in."oauthAccessToken" ("refreshId");

create table sign_in."oauthConsent" (
  id text primary key, "clientId" text not null references sign_in."oauthClient"("clientId") on delete cascade,
  "userId" text references sign_in."user" on delete cascade,
  "referenceId" text, resources jsonb, "requestedUserInfoClaims" jsonb, scopes jsonb not null,
  "createdAt" timestamptz not null, "updatedAt" timestamptz not null
);
create index "oauthConsent_clientId_idx" on sign_in."oauthConsent" ("clientId");
create index "oauthConsent_userId_idx" on sign_in."oauthConsent" ("userId");

create table sign_in."oauthClientAssertion" (
  id text primary key, "expiresAt" timestamptz not null
);

create table sign_in."rateLimit" (
  id text primary key, key text not null unique, count integer not null, "lastRequest" bigint not null
);

create table sign_in.account_try (
  account bytea primary key, opened_at timestamptz not null, tries integer not null
);
create index account_try_opened on sign_in.account_try (opened_at);

create table sign_in.membership (
  user_id text not null references sign_in."user", team_id uuid not null references team,
  role text not null check (role in ('owner', 'member', 'viewer')), created_at timestamptz not null,
  primary key (user_id, team_id)
);
create index membership_by_team on sign_in.membership (team_id, user_id);

create table sign_in.invitation (
  id uuid primary key, team_id uuid not null references team, email text not null,
  role text not null check (role in ('owner', 'member', 'viewer')), token_hash bytea not null unique,
  invited_by text references sign_in."user",
  created_at timestamptz not null, expires_at timestamptz not null, accepted_at timestamptz, revoked_at timestamptz
);
create index invitation_by_team on sign_in.invitation (team_id, created_at desc) where accepted_at is null and revoked_at is null;

create table sign_in.trial (
  address bytea primary key, user_id text not null, team_id uuid not null, started_at timestamptz not null
);
`
