/** A website's hostname without a leading `www.`; null when there is none (LED-18). */
export function domainOf(website: string | null): string | null {
  if (!website) return null
  try {
    const host = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(website) ? website : `https://${website}`).hostname
      .replace(/^www\./, '')
      .replace(/\.$/, '')
    return host.includes('.') ? host : null
  } catch {
    return null
  }
}
