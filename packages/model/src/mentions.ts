/** Mentions in a rich text: `<span data-type="mention" data-id="7" data-label="Иванов И. И.">`. */

const MENTION = /<span\b[^<>]*\bdata-type="mention"[^<>]*>/g

/** Ids of the mentioned users, without duplicates, in order. */
export function mentionsOf(html: string | null | undefined): number[] {
  const ids = (html?.match(MENTION) ?? []).map((tag) => Number(/\bdata-id="(\d{1,15})"/.exec(tag)?.[1]))
  return [...new Set(ids)].filter((id) => id > 0)
}

/** The text of a rich text on one line, for a notification or a list. */
export function wordsOfHtml(html: string | null | undefined): string {
  return (html ?? '')
    .replace(/<(?:br|\/p|\/li|\/h\d|\/tr|\/td|\/blockquote|\/pre)\b[^<>]*>/gi, ' ')
    .replace(/<[^<>]*>/g, '')
    .replace(/&(lt|gt|quot|#39|nbsp|amp);/g, (_, name: string) => entities[name] as string)
    .replace(/\s+/g, ' ')
    .trim()
}

const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ', amp: '&' }
