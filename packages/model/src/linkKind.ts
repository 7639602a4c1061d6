/** The kind of a link: only paths of the app and five schemes are links (spec §2); the rest is text. */
export function linkKind(href: string | null | undefined): 'internal' | 'web' | 'contact' | 'none' {
  if (!href || /[\u0000-\u001f\u007f]/.test(href)) return 'none'
  if (/^\/(?![/\\])/.test(href)) return 'internal'
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(href)?.[1]?.toLowerCase()
  if (scheme === 'tel' || scheme === 'mailto') return 'contact'
  return scheme !== undefined && ['http', 'https', 'ftp'].includes(scheme) && URL.canParse(href) ? 'web' : 'none'
}
