const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Escapes plain text for HTML. */
export const escapeHtml = (text: string): string => text.replace(/[&<>]/g, (sign) => signs[sign] as string)
