/**
 * The guide for staff: `docs/guide/*.md` is its only source. The web shows the part of a page beside that page, and
 * Ctrl+K searches its words.
 *
 *     ## Касса
 *     <!-- page: cash -->
 *
 *     - A job of the page: one sentence or two.
 *
 *     ### Подробнее
 *
 *     Paragraphs, lists, **bold**, `code`, [links](https://…).
 */

/** A block of text with its inline marks. */
export interface GuideBlock {
  kind: 'text' | 'item' | 'step' | 'heading'
  text: string
}

/** The guide's text of one page. */
export interface GuidePage {
  /** Key in the page list. */
  page: string
  title: string
  /** The usual jobs, keys included. */
  jobs: readonly string[]
  more: readonly GuideBlock[]
}

/** @param text a file of `docs/guide`. @throws Error for a heading without its page, or text outside of a page */
export function readGuide(text: string): GuidePage[] {
  const [, ...parts] = `\n${text}`.split('\n## ')
  return parts.map((part) => {
    const [title = '', mark = '', ...lines] = part.split('\n')
    const page = /^<!-- page: (\w+) -->$/.exec(mark)?.[1]
    if (!page) throw new Error(`guide: «${title}» names no page`)
    const at = lines.indexOf('### Подробнее')
    const blocks = (part: readonly string[]) => part.filter((line) => line.trim() !== '').map(blockOf)
    const jobs = blocks(at < 0 ? lines : lines.slice(0, at))
    const stray = jobs.find(({ kind }) => kind !== 'item')
    if (stray) throw new Error(`guide: «${title}» has text before «Подробнее»: ${stray.text}`)
    return { page, title, jobs: jobs.map((job) => job.text), more: at < 0 ? [] : blocks(lines.slice(at + 1)) }
  })
}

function blockOf(line: string): GuideBlock {
  const [, mark, text] = /^(- |\d+\. |#+ )?(.*)$/.exec(line.trim()) ?? []
  const kind = mark === undefined ? 'text' : mark === '- ' ? 'item' : mark.startsWith('#') ? 'heading' : 'step'
  return { kind, text: text ?? '' }
}

/** A span of a text: plain, strong, code, or a link with its address. */
export interface GuideSpan {
  text: string
  as?: 'strong' | 'code'
  href?: string
}

/** Splits a text by its inline marks. */
export function spansOf(text: string): GuideSpan[] {
  const spans: GuideSpan[] = []
  let from = 0
  for (const found of text.matchAll(/\*\*(.+?)\*\*|`(.+?)`|\[(.+?)\]\((.+?)\)/g)) {
    if (found.index > from) spans.push({ text: text.slice(from, found.index) })
    const [whole, strong, code, label, href] = found
    if (strong !== undefined) spans.push({ text: strong, as: 'strong' })
    else if (code !== undefined) spans.push({ text: code, as: 'code' })
    else spans.push({ text: label ?? '', href: href ?? '' })
    from = found.index + whole.length
  }
  if (from < text.length) spans.push({ text: text.slice(from) })
  return spans
}

/** A page of the guide that has the asked words, and the text to show for it. */
export interface GuideHit {
  page: string
  title: string
  line: string
}

const MIN_WORD = 3
const MIN_STEM = 4

/** A word without its ending: «скидку» and «скидок» find «скидки». */
const stem = (word: string): string => word.slice(0, Math.max(MIN_STEM, word.length - 2))

const plainText = (text: string): string => text.replace(/[*`]/g, '').toLowerCase().replaceAll('ё', 'е')

/**
 * Pages whose words answer to the text, the best first: all words in the title, in one line, or anywhere on the page.
 * @param asked nothing is found by less than three letters
 */
export function findInGuide(guide: readonly GuidePage[], asked: string): GuideHit[] {
  const words = plainText(asked)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map(stem)
  if (words.join('').length < MIN_WORD) return []
  const holds = (text: string) => words.every((word) => startsIn(plainText(text), word))
  const hits = guide.flatMap(({ page, title, jobs, more }) => {
    const lines = [...jobs, ...more.map(({ text }) => text)]
    if (holds(title)) return [{ rank: 0, page, title, line: jobs[0] ?? '' }]
    const job = jobs.find(holds)
    if (job) return [{ rank: 1, page, title, line: job }]
    const line = lines.find(holds)
    if (line) return [{ rank: 2, page, title, line }]
    if (!holds([title, ...lines].join(' '))) return []
    return [{ rank: 3, page, title, line: lines.find((one) => startsIn(plainText(one), words[0] ?? '')) ?? '' }]
  })
  return hits
    .sort((a, b) => a.rank - b.rank)
    .map(({ page, title, line }) => ({ page, title, line: line.replace(/\*\*|`|\[|\]\(.+?\)/g, '') }))
}

/** True when a word of the text begins with `word`. */
const startsIn = (text: string, word: string): boolean =>
  text.split(/[^\p{L}\p{N}]+/u).some((one) => one.startsWith(word))
