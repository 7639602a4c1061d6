/** Normalized addresses of the site, for redirects. Pure. */

/** Normalizes an address to `/a/b`: without the site's prefix, query and trailing slash, in lower case. */
export function siteAddress(written: string): string {
  const path = written.trim().split(/[?#]/)[0] as string
  const own = path.replace(/^\/site(?=\/|$)/i, '').replace(/\/+$/, '')
  return (own.startsWith('/') ? own : `/${own}`).toLowerCase()
}

/** Error of a redirect given the others. @param others from → to, without this one */
export function redirectError(
  from: string,
  to: string,
  others: ReadonlyMap<string, string>,
): { field: 'from' | 'to'; message: string } | undefined {
  if (from === '/') return { field: 'from', message: 'Главную страницу переадресовать нельзя' }
  if (/^https?:\/\//i.test(to)) return undefined
  let at = siteAddress(to)
  for (let steps = 0; steps <= others.size; steps++) {
    if (at === from)
      return {
        field: 'to',
        message: steps === 0 ? 'Адрес ведёт сам на себя' : `Получается круг: ${from} снова приводит на ${from}`,
      }
    const next = others.get(at)
    if (next === undefined || /^https?:\/\//i.test(next)) return undefined
    at = siteAddress(next)
  }
  return undefined
}
