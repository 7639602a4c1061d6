const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Plain words within HTML. */
export const escapeHtml = (text: string): string => text.replace(/[&<>]/g, (sign) => signs[sign] as string)
